"""The language of a conversation is told from its script, and only as far as that goes."""

from __future__ import annotations

import pytest

from gateway.core.summary.language import Language, detect


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["Please fix the price."], Language.USERS),
        (["Bitte den Preis ändern.", "Да, пожалуйста"], Language.USERS),
        (["把价格改成 42 元，然后运行 make test"], Language.CHINESE),
        (["用 docker compose 部署 api gateway 到 staging，不要动 production database"], Language.CHINESE),
        (["値段を直してください。"], Language.JAPANESE),
        (["가격을 고쳐 주세요."], Language.KOREAN),
        (
            ["What does 你好世界再见 mean in English, and how do I say it to my teacher?"],
            Language.USERS,
        ),
        ([""], Language.USERS),
        ([], Language.USERS),
    ],
)
def test_language_is_told_from_the_script(texts: list[str], language: Language) -> None:
    """Names and code in Latin letters do not hide a language; a quoted word does not make one."""
    assert detect(texts) is language


def test_megabyte_is_read_in_part() -> None:
    """What is pasted is not read to its end."""
    assert detect(["请看：" + "x" * 1_000_000, "谢谢，改好了吗"]) is Language.CHINESE

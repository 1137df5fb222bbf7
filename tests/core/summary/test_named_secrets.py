"""What stands behind the name of a secret goes, in many forms and languages; what only has the name stays."""

from __future__ import annotations

import pytest

from gateway.core.summary.named_secrets import Named, named
from gateway.core.summary.secrets import redact

# Made up, all of them. A row is added for a way in which people or models write down a password.
GONE = [
    ("**Password:** `Tr0ub4dor&3`", "Tr0ub4dor&3"),
    ("- **password**: Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("`password`: `Tr0ub4dor&3`", "Tr0ub4dor&3"),
    ("| password | Tr0ub4dor&3 |", "Tr0ub4dor&3"),
    ("| **DB password** | `Tr0ub4dor&3` | prod |", "Tr0ub4dor&3"),
    ("Password for admin → Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("Password for the admin account -> Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("Password (staging): Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("password for bob@example.com: hunter2Xy9", "hunter2Xy9"),
    ("Passwort: Sommer2024!", "Sommer2024!"),
    ("Das Passwort ist Sommer2024!", "Sommer2024!"),
    ('Das Passwort lautet "Sommer2024!".', "Sommer2024!"),
    ("Kennwort: x9-kk21-pQ", "x9-kk21-pQ"),
    ("mot de passe : Zx9-kk21", "Zx9-kk21"),
    ("Le mot de passe est Zx9-kk21.", "Zx9-kk21"),
    ("contraseña: Gato_2291", "Gato_2291"),
    ("La contraseña es Gato_2291", "Gato_2291"),
    ("密码：Abc12345!", "Abc12345!"),
    ("密码是 Abc12345!", "Abc12345!"),
    ("пароль: Kot-2291x", "Kot-2291x"),
    ("senha: Gato_2291", "Gato_2291"),
    ("パスワード：Neko2291", "Neko2291"),
    ("wachtwoord: Kat-2291x", "Kat-2291x"),
    ("password d'accesso... parola d'ordine: Gatto-2291", "Gatto-2291"),
    ("Authorization: Basic Ym9iOnNlY3JldA==", "Ym9iOnNlY3JldA=="),
    ("-H 'Authorization: Basic Ym9iOnNlY3JldA=='", "Ym9iOnNlY3JldA=="),
    ('"authorization": "Basic Ym9iOnNlY3JldA=="', "Ym9iOnNlY3JldA=="),
    ("Authorization: Bearer abcDEF0123456789xyz", "abcDEF0123456789xyz"),
    ("the root password is correct-horse-battery-staple", "correct-horse-battery-staple"),
    ("The password was set to correct-horse-battery-staple.", "correct-horse-battery-staple"),
    ("the pin is 4821", "4821"),
    ("PIN: 4821", "4821"),
    ("Her PIN code is 4821.", "4821"),
    ("passphrase: correct horse battery staple", "correct horse battery staple"),
    ("Passwd = s3cr3tPa55", "s3cr3tPa55"),
    ("DB_PASSWORD=s3cr3tPa55w0rd", "s3cr3tPa55w0rd"),
    ("pwd: s3cr3tPa55", "s3cr3tPa55"),
    ("my login is bob and my password is hunter2Xy9!", "hunter2Xy9!"),
    ("Use password “Tr0ub4dor&3” to log in", "Tr0ub4dor&3"),
    ("**API key:** `9f8e7d6c5b4a39281706f5e4d3c2b1a0`", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("| api_key | 9f8e7d6c5b4a39281706f5e4d3c2b1a0 |", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("API key for Stripe → 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("client secret – 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("| user | password |\n|---|---|\n| bob | Tr0ub4dor&3 |", "Tr0ub4dor&3"),
    ("<password>Tr0ub4dor&3</password>", "Tr0ub4dor&3"),
    ("Password:\n`Tr0ub4dor&3`", "Tr0ub4dor&3"),
    ('{"password": "Tr0ub4dor&3"}', "Tr0ub4dor&3"),
    ('{\\"password\\": \\"Tr0ub4dor&3\\"}', "Tr0ub4dor&3"),
    ("* __Password__: Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("Change the password to Tr0ub4dor&3.", "Tr0ub4dor&3"),
    ("the new password is now Tr0ub4dor&3, tell Bob", "Tr0ub4dor&3"),
    ("Passwort für den Server: Sommer2024!", "Sommer2024!"),
    ("mot de passe pour admin → Zx9-kk21", "Zx9-kk21"),
    ("Contraseña de la base: Gato_2291", "Gato_2291"),
    ("?user=bob&password=hunter2&page=3", "hunter2"),
    ("OTP: 483920", "483920"),
    ("verification code is 483920", "483920"),
    ("CVV: 123", "123"),
    ("the PIN was changed to 4821.", "4821"),
    ("| PIN | 4821 |", "4821"),
    (
        "seed phrase: witch collapse practice feed shame open despair creek",
        "witch collapse practice feed shame open despair creek",
    ),
    ("pass: x9-kk21-pQ", "x9-kk21-pQ"),
    ("MYSQL_PWD=geheim", "geheim"),
    ("userPwd: x9kk21pQ", "x9kk21pQ"),
    ("Password – Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("Password - Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("비밀번호: Abc12345!", "Abc12345!"),
    ("Wi-Fi password (guest): Gast-2291x", "Gast-2291x"),
    ("clé API : 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("API-Schlüssel: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("x-api-key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    (
        "| service | key | token |\n| --- | --- | --- |\n| a | x | none |\n| b | y | 1f8e7d6c5b4a3928 |",
        "1f8e7d6c5b4a3928",
    ),
    ("密码为“Abc12345!”", "Abc12345!"),
    ("Пароль от базы: Kot-2291x", "Kot-2291x"),
    ("Authorization=Basic Ym9iOnNlY3JldA==", "Ym9iOnNlY3JldA=="),
]

# A row is added for what was taken out and is none.
STAYS = [
    "the password policy is strict",
    "Send a password reset link to the user.",
    "pin the version 1.4821",
    "Pin numpy to 1.4821 in requirements.txt",
    "The password is stored as a hash with bcrypt.",
    "Password: at least 12 characters",
    "The password is required.",
    "The password is not shown in the log.",
    "password field: required, masked",
    "| password | string | required |",
    "| password | text | min. 8 characters |",
    "Passwort vergessen? Link folgt.",
    "Das Passwort ist zu kurz.",
    "Le mot de passe est obligatoire.",
    "La contraseña es obligatoria.",
    "密码不能为空",
    "密码：必填",
    "пароль: обязательное поле",
    "The pin is on GPIO 4.",
    "pin 13 is the LED",
    "the pin is soldered",
    "Pinned tweet: 4821 likes",
    "Authorization: required for all routes",
    "Basic auth is used by src/auth/basic.py",
    "Authorization: Basic <credentials>",
    "Authorization: Bearer $TOKEN",
    'password = os.environ["DB_PASSWORD"]',
    "password=$DB_PASSWORD",
    "password: <redacted>",
    "password: ********",
    "**Password:** `[redacted: password]`",
    "The token is valid for 3600 seconds.",
    "token count: 128000",
    "Max tokens: 4096",
    "API key rotation is monthly",
    "api_key: str | None = None",
    "def check_password(password: str) -> bool:",
    "password: Optional[str]",
    "The password reset flow lives in src/auth/password_reset.py",
    "password → hash → database",
    "Password for admin is in the vault.",
    "password-protected zip",
    "The passphrase is asked for at start.",
    "secret santa: on 12-24",
    "The secret is out.",
    "The keyboard: qwerty-2291",
    "key: value",
    "password: see 1Password",
    "The password is older than 90 days.",
    "Set the password min length to 12.",
    "The password is user-supplied.",
    "password is case-sensitive",
    "The pin is 4 digits long.",
    "The PIN is 4 to 8 digits.",
    "PIN entry moved to step 3.",
    "pwd: /home/bob/project-21",
    "The password is base64-encoded.",
    "| user | password |\n|---|---|\n| bob | changed yesterday |",
    "| field | type |\n|---|---|\n| password | varchar(60) |",
    "Tests pass: test_price2.py, test_vat3.py",
    "Pass `isolate_lane2=True` to it.",
    "Password reset → /reset/v2/confirm",
    "ssl_keyfile_password=ssl_keyfile_password",
    "password - see the wiki",
    "Password: minimum 8, one digit",
    "The password is 12-64 characters.",
    "password is sha256-hashed",
    "Password: bcrypt2b",
    "The token is base64url2-safe",
    "token for 3 requests: used",
    "The passphrase is: ask Bob",
    "passphrase: it is asked for at the start of the script",
    "Tokens per minute: 30000",
    "pin: GPIO 4",
    "The pin is 8 to 12 characters",
    "PIN: 4-8 digits",
    "OTP is sent by mail",
    "the verification code is sent",
    "Secret: see src/config/secrets2.yaml",
    "API key: docs/api-keys-2024.md",
    "API key: https://example.org/keys/2024-05",
    "Authorization: Basic or Bearer",
    "Authorization: Basic authentication",
    "Access token → refresh token → 401",
    "key results for 2024: 12",
    "spinning: 4821",
    "password for the demo is written on the board.",
    "Passwort ändern: siehe Seite 12",
    "la contraseña es la misma",
    "Le mot de passe est trop court (8)",
    "пароль для входа не нужен",
    "パスワードは必須です",
    "비밀번호는 필수입니다",
    "pass-through: http2",
    "password is 8 characters",
    "public key → sha256 fingerprint",
]


@pytest.mark.parametrize(("text", "secret"), GONE)
def test_secret_goes_and_what_it_is_of_stays(text: str, secret: str) -> None:
    """However name and value are joined, only the value makes way, whole."""
    before, _, after = text.partition(secret)
    said = redact(text).text
    assert secret not in said
    assert said.startswith(before)
    assert said.endswith(f"]{after}")


@pytest.mark.parametrize("text", STAYS)
def test_words_about_secrets_stay(text: str) -> None:
    """Rules for passwords, types, places where they are kept, versions: nothing is taken out."""
    assert redact(text).text == text


def test_a_key_is_told_from_a_password() -> None:
    """By its name: they are counted apart."""
    text = "api key: 9f8e7d6c5b4a3928, password: hunter2!"
    assert [(value.named, value.text) for value in named(text, text)] == [
        (Named.KEY, "9f8e7d6c5b4a3928"),
        (Named.PASSWORD, "hunter2!"),
    ]


HOSTILE = [
    "password for ",
    "password (",
    "|password|\n|---|\n|a1b2c3!|\n",
    "passphrase: ab cd ef gh ",
    "pin 1 ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_read_in_one_pass(unit: str) -> None:
    """Whatever is repeated, the search ends (a test run would stand still)."""
    assert redact(unit * (300_000 // len(unit))).text

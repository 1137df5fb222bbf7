"""Words of change in languages for which the ledger has no tables of rules, and their lightest words.

What is said in them is known by its values alone; that a value changes must still be heard. A language is
added with the few words by which its speakers take one value for another.
"""

from __future__ import annotations

from gateway.core.ledger.gates import gated

TURNS = gated(
    # German, Dutch
    r"\b(?:jetzt|nun|nunmehr|stattdessen|statt|doch(?: lieber)?|lieber|geändert|umgezogen|verschoben|verlegt"
    r"|korrektur|entschuldigung|sondern|inzwischen|ab sofort|künftig|neu(?:er|e|es|en)?|nicht mehr|ersetzt"
    r"|nu|voortaan|toch(?: maar)?|liever|verhuisd|verplaatst|gewijzigd|niet meer|in plaats van|nieuwe?"
    # French
    r"|maintenant|désormais|plutôt|finalement|à la place|au lieu de|pardon|déplacée?|reportée?|changée?|migré"
    r"|dorénavant|nouvelle?|nouveau|ne (?:\w{1,20} ){1,3}plus|remplace|corrige[zr]?|jusqu'à"
    # Spanish, Portuguese, Italian
    r"|ahora|mejor|perdón|en vez de|en lugar de|ya no|cambi(?:ó|ado|amos|é|o)|nuev[oa]|corrección|movid[oa]"
    r"|agora|melhor|em vez de|desculpe?|mudou|mudamos|não (?:\w{1,20} ){1,2}mais|nov[oa]|passou (?:a|para)"
    r"|adesso|ora|invece|meglio|scusa|spostat[oa]|non (?:\w{1,20} ){1,2}più|nuov[oa]|anziché|piuttosto"
    # Polish, Turkish, Swedish and its kin
    r"|teraz|zamiast|jednak|lepiej|zmian[ay]|artık|şimdi|yerine|onun yerine|istället|numera|nytt|hellre"
    r"|istedet|flyttet|flyttat|heller)\b"
    # Russian, Japanese, Korean
    r"|теперь|сейчас|лучше|вместо|перенес|изменил|больше не|новый|новая|извини|не .{1,20}, а "
    r"|変更|変わり|代わり|やっぱり|やはり|今は|これからは|訂正|ではなく|に(?:して|移)|間違"
    r"|이제|대신|바꿔|바뀌|변경|정정|말고|아니라"
)
"""A value takes the place of another."""

_LIGHT = (
    "der die das den dem des ein eine einen einem ist sind war wir ich es er sie ihr uns mich bei auf am im"
    " um zu zum zur von vom mit für und oder aber nimm bitte lieber doch nur noch auch heißt liegt statt"
    " le la les un une des du de et ou est sont on nous je il elle c'est à au aux en pour par peut aller avec"
    " prendre vers a migré celui celle el los las una y o es son está estamos hemos se al del por para con"
    " que me lo mi pedido o os as um uma e é são foi nós eu no na nos nas do da dos das ao com"
    " il lo gli i uno di ed sono è siamo noi io alle allo alla quello quella prendiamo per con che"
    " de het een en is zijn wij we ik om op van met voor naar maar och i på är vi jag att för til og er"
    " jest są w na o z do to bu şu ve için"
    " jetzt nun stattdessen statt umgezogen verschoben geändert ab sofort nu voortaan toch liever maintenant"
    " désormais plutôt finalement pardon jusqu jusqu'à ahora mejor perdón agora melhor desculpe adesso invece"
    " meglio teraz jednak artık şimdi"
)
FOREIGN = frozenset(_LIGHT.split())

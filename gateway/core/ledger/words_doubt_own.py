"""What makes a statement of rule the user's own order, in English: who is addressed, what it is about.

"Passengers may take 23 kg" has the form of a rule and binds no one here. A word is added for what users rule
about in their own work (`WORK`), for a verb by which others rule (`THIRD`), for people who are ruled by
others (`PEOPLE`).
"""

from __future__ import annotations

import re

from gateway.core.ledger.gates import gated
from gateway.core.ledger.words_standing import VERBS

# The speaker and those he speaks for. ("You" may be anybody.)
_OWN_WORDS = """
we we're we've we'll we'd our ours my mine i i'm i'd i've i'll let's please
pls plz kindly myself ourselves
"""
OWN = frozenset(_OWN_WORDS.split())

# What rules, bounds, forbids or allows. A sentence without any states a fact.
_RULES_WORDS = """
must mustn't should shouldn't shall shan't may can can't cannot could only never always
no nobody none nothing neither max maximum min minimum most least more fewer less exceed exceeds exceeding
limit limited limits cap capped need needs required require requires mandatory obligatory forbidden banned
prohibited allowed permitted supposed obliged without unless until till before within every each any
anyone everyone off-limits not won't don't doesn't isn't aren't nor all
"""
RULES = frozenset(_RULES_WORDS.split())

_MODALS_WORDS = """
must mustn't should shouldn't shall shan't may can can't cannot could never only always have has need needs
ought don't doesn't won't isn't aren't
"""
MODALS = frozenset(_MODALS_WORDS.split())
"""What stands before the first of these says whom or what is ruled."""

_ANYBODY_WORDS = """
nobody no none nothing neither anyone anybody everyone everybody someone somebody one anything everything you
it this that these those there all each every any the a an if when whenever
"""
ANYBODY = frozenset(_ANYBODY_WORDS.split())
"""Where only these do, the rest says what it is about."""

_SPEAKER_WORDS = "we we're we've we'll we'd i i'm i'd i've i'll let's us please"
SPEAKER = frozenset(_SPEAKER_WORDS.split())
"""Who decides and allows with us; "my flatmates decided" is theirs."""

LABELS = re.compile(
    r"^\W*(?:[\w'-]+ ){0,2}(?:rules?|notes?|note to \w+|reminder|important|remember|deadline|due|budget"
    r"|decision|decided|agreed"
    r"|limits?|max|maximum|min|minimum|update|correction|todo|to-do|to do|tasks?|next|goals?|aim"
    r"|constraints?|thing|also"
    r"|preferences?|ps|p\.s\.|convention|policy|requirements?|priority|warning|heads-up|scope|format|style"
    r"|tone"
    r"|language|length|audience|stack|count|final|settled|plan|target|cap|quota|open|pending|still"
    r"|otherwise|exception"
    r"|except|but|so|and|answer|instead|attention|caution|careful|again|first|second|third|last|clear|on"
    r"|now|please"
    r"|\w*\d\w*)(?: \w+){0,3}: "
)
"""With such a label before a colon the rest is the speaker's own."""

# Deeds by which others rule, choose or like; only with a word of `OWN` are they ours.
_THIRD_WORDS = """
limits caps bans forbids allows lets blocks restricts prohibits permits refuses accepts decided decides
chose chooses opted opts picked voted demands expects wants won't prefers likes
loves hates
enjoys insists ordered announced introduced banned bars barred charges rejects tolerates obliges
offers promises guarantees fines punishes disqualifies decreed switched adopted dropped abandoned
hosts serves collects admits holds seats fits accommodates carries drops keeps closes 
asks instructs recommends suggests teaches require insist proposes proposed forbade demanded believes
believe gives grants shuts departs sells rents waives
"""
THIRD = frozenset(_THIRD_WORDS.split())

# People who are ruled by others than the speaker.
_PEOPLE_WORDS = """
engineer engineers developer developers dev devs maintainer maintainers contributor contributors
auditor auditors intern interns folks analyst analysts consultant consultants manager managers admins
researcher researchers scientist scientists designer designers accountant accountants lawyer lawyers
freelancer freelancers newcomer newcomers hire founders founder passenger passengers member members
contestant contestants resident residents tenant tenants rider riders
swimmer swimmers volunteer volunteers pilot pilots driver drivers player players freelancer freelancers
candidate candidates applicant applicants participant participants athlete athletes runner runners
cyclist cyclists pedestrian pedestrians citizen citizens voter voters shopper shoppers visitor visitors
patient patients nurse nurses soldier soldiers officer officers inmate inmates subscriber subscribers
spectator spectators competitor competitors teams team's attendee attendees exhibitor exhibitors
child children adult adults minor minors boys girls women men man woman person people persons dog dogs cat
cats pet pets horse horses bird birds lion lions owner owners employee employees worker workers staff
trainee trainees apprentice apprentices cadet cadets scout scouts novice novices nun nuns priest
priests farmer farmers fisherman fishermen hunter hunters angler anglers hiker hikers climber climbers
diver divers surfer surfers skier skiers camper campers boater boaters motorist motorists vehicle vehicles
truck trucks lorry lorries bike bikes scooter scooters car cars bus buses train trains taxi taxis plane
ferry borrower borrowers holder holders ticket-holders entrant entrants entries dancer dancers actor
actors singer singers lessee lessor licensee licensor debtor creditor defendant plaintiff landlord
shareholder shareholders
subcontractor subcontractors insured policyholders diplomat diplomats chef chefs waiter waiters cook
cooks barista baristas buyer buyers seller sellers
bidder bidders lender lenders donor donors juror jurors witness witnesses senator senators mayor
goalkeeper striker keeper batsman bowler jockey rower rowers sailor archer archers gymnast gymnasts
"""
PEOPLE = frozenset(_PEOPLE_WORDS.split())

# What users rule about in their own work: code and its surroundings, texts, figures, plans.
_WORK_WORDS = """
answer answers reply replies response responses output outputs summary summaries message messages
explanation explanations suggestion suggestions code function functions method methods class classes
module modules variable variables parameter parameters argument arguments endpoint endpoints api apis
request requests query queries table tables column columns row rows index schema migration migrations
database databases db cache caches queue queues job jobs cron pipeline pipelines build builds
deploy deploys deployment deployments release releases rollout branch branches commit commits merge merges
merged repo repos repository pr prs pull review reviews reviewer test tests testing coverage ci lint
linting docstring docstrings comment comments doc docs documentation readme changelog file files folder
folders directory directories path paths script scripts config configs configuration setting settings
flag flags env environment environments staging production prod server servers host hosts cluster
clusters node nodes container containers image images service services client backend
frontend ui page pages button buttons form forms component components screen modal tooltip css html json
yaml xml csv markdown sql timeout timeouts retry retries batch batches thread threads memory latency
heap cpu gpu disk log logs logging log-level alert alerts metric metrics dashboard dashboards secret
secrets password passwords token tokens key keys credential credentials certificate certificates
dependency dependencies package packages version versions import imports type types
exception exceptions error errors stack trace traces feature features bug bugs issue issues ticket
sprint backlog milestone milestones deadline budget cost costs spend spending price prices discount
discounts invoice invoices payment payments refund refunds order total totals amount amounts currency
date dates timestamp timestamps number numbers figure figures chart charts axis unit units decimals
essay thesis report reports memo memos chapter chapters section sections paragraph paragraphs draft
drafts title titles heading headings headline abstract footnote footnotes slide slides deck presentation
email emails newsletter article post posts itinerary trip plan plans agenda meeting meetings menu
dataset datasets model models prompt prompts notebook notebooks plot plots sample-size feature-flag
name names identifier identifiers constant constants line lines indentation header headers footer payload
payloads field fields record records customer-data data backup backups snapshot snapshots bucket buckets
upload uploads download downloads attachment attachments webhook webhooks session sessions cookie cookies
url urls link links domain domains firewall port ports traffic rollback hotfix patch
patches change changes
copy text texts wording tone style language english german french spanish british layout logo colour
color colours colors font fonts quote quotes citation citations source sources reference references
vendor vendors contract contracts supplier suppliers hire hires interview scope goal
push pushes force live qa expense expenses receipt receipts signature sign-off value values median mean
styles helpers warning warnings digits
public private legacy internal external third-party
"""
WORK = frozenset(_WORK_WORDS.split())

# Behind these an order can begin.
_MARKERS = (
    r"^(?:\W|(?:and|also|but|so|ok|okay|hey|hi|oh|well|then|now|next|first|second|third|finally|lastly"
    r"|again|btw"
    r"|by the way|one more thing|another thing|reminder|remember|note|important|rules?|policy|constraint"
    r"|requirement|limit|hard|general|\d+|preference|convention|instruction|update|correction|heads up|fyi"
    r"|todo|just"
    r"|simply|really|strictly|going forward|from (?:now|here|today) on|in (?:the )?future|as of (?:now|today)"
    r"|starting (?:today|now)|for (?:now|this project|this task|this chat)|to be clear|whatever happens"
    r"|as always"
    r"|by default|if in doubt|when in doubt|please|you|team|folks|guys|absolutely)\b)*"
)
_DEEDS = (
    r"(?:never|always|mind|refer|spare|work|give|do|don't|dont|make sure|be|refrain|aim|abide|obey|observe"
    r"|adhere|capitali[sz]e|cap"
    r"|default|restrict|decline|deny|drop|double-check|steer|leave|no need|use|"
    + "|".join(sorted(VERBS))
    + r")"
)
ORDERS = re.compile(
    rf"{_MARKERS}{_DEEDS}(?=\s)(?! ?(?:must|should|may|can|is|are|has|have|was|were)\b)"
    rf"|{_MARKERS}(?:only|no) {_DEEDS}\s"
    r"|^(?:(?:and|also|but|so|ok|then|now|please)\b\W*)*(?:you (?:must|have to|may|can|need to|shall"
    r"|are (?:not )?to"
    r"|are not|aren't)|you're (?:not )?(?:to|allowed|supposed|free)|you'd better|your (?:task|job|goal"
    r"|role) is)\b"
    r"|^(?:under|at|on|in) no (?:circumstances?|conditions?|point|account|case|event|time)\b"
)
"""An imperative where a sentence begins."""

LATER_ORDERS = gated(
    rf"[,;—–] (?:then |please |just |also |and |but |so |only )*(?!never (?!{_DEEDS}\s)){_DEEDS}\s"
)
"""An imperative where a later clause begins."""

SETTLED = gated(
    r"\b(?:great|nice|lovely|good|best|better|crucial|important|essential|helpful) (?:if|that|not|you|it)\b|"
    r"^\W*(?:it (?:is|was|has been) |it's )?(?:been )?(?:final(?:ly)?|decided|agreed|settled|decision"
    r"|going with)\b|\bfrom (?:now|today|here|tomorrow|monday|this \w+) on|\bgoing forward\b"
    r"|\bas of (?:now|today|monday)\b|^(?:this|it|that|these|those|everything|the whole thing) (?:must"
    r"|has to|have to|should|mustn't"
    r"|shouldn't|may not)\b|\bthis (?:project|repo|task|chat|sprint|codebase|work|app|service)\b"
    r"|\b(?:the|our) (?:client|customer|board|cto|ceo|cfo|auditors?) (?:\w+ )?(?:wants?|insists?|expects?"
    r"|needs?"
    r"|decided)\b"
)
"""What is settled here, or from now on."""

EXACT = re.compile(
    r"`|(?<!\S)[~.]{0,2}/[\w.-]|(?<!\w)(?!and/or)[a-z_]{3,20}/[a-z_.-]{2}|\w_\w|\w\(\)|(?<!\S)--?[a-z]"
    r"|[a-z]-\d|[a-z]\d"
    r"|\d ?(?:[kmgt]i?b|ms|px|rpm|fps)\b|\w\.[a-z]{2,5}\b(?!\.)|\w@\w|://|#\d"
)
"""Paths, names of files, hosts, flags, tickets and functions, in plain text."""

OWNER = re.compile(
    r"\b(?!let's|it's|that's|there's|here's|what's|who's|he's|she's|today's|tomorrow's|project's|team's"
    r"|company's"
    r"|client's|customer's|app's|user's|everyone's)[a-z][\w-]*(?:'s|s') \w"
)
"""Somebody to whom something belongs: what he rules is his."""

DUTY = gated(
    r"\b(?:has|have|ought|are|is) to\b|\b(?:up to|over|under|below|above|than|within"
    r"|exactly) (?:an? )?[$€£]?\d"
    r"|\b(?:capped|penalty|fine|fined|applies|apply) "
)
"""Duty and bounds in several words, besides `RULES`."""

WORDS_IT = gated(
    rf"{_MARKERS}(?:say|use|sign|call|put|write|address|spell|begin|start|end|name|label|title|prefix"
    rf"|answer|reply)\s"
)
"""Who orders how something is worded quotes the words."""

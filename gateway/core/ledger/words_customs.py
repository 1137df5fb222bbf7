"""English words of customs: how things are done here, said as a matter of fact or of course.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import DO, Row, S

CUSTOMS: tuple[Row, ...] = (
    (
        Kind.RULE,
        "exception exceptions matter times cases",
        r"\b(?:no|without|with no) exceptions?\b|\bno matter (?:what|how|who|which)\b"
        r"|\bat all times\b|\bin all cases\b",
    ),
    (
        Kind.RULE,
        "rule policy convention principle requirement constraint guideline instruction condition"
        " standard rules guidelines",
        r"\b(?:the|our|my|one|house|hard|golden|standing|general|team|company|strict|important|first"
        r"|second|another|as a|key|new|simple|project|ground) (?:\w+ )?(?:rule|policy|convention"
        r"|principle|requirement|constraint|guideline|instruction|condition|standard)s?(?: of thumb"
        r"| here| for \w+| number one| about \w+)?(?: is| are|:|,| —| -)|^(?:hard |new |team "
        r"|house )?(?:rule|policy|convention|principle|requirement|constraint|guideline|condition"
        r"|standing instruction)s?(?: \d+| #\d+)?(?::| -| —| is)",
    ),
    (
        Kind.RULE,
        "keep stay treat consider assume",
        rf"{S}(?:please )?(?:keep|treat|consider|assume|regard) (?!going|up\b|it up|trying|an eye"
        rf"|me posted|in mind|calm|getting|the change|working on)[^.]{{2,80}}\b(?:as|in|under|inside"
        rf"|below|at|unchanged|stable|compatible|sorted|private|confidential|secret|out|within"
        rf"|separate|up to date|in sync|alphabetical|to|free|intact|backwards?|green|clean|that)\b",
    ),
    (
        Kind.RULE,
        "instead rather over not",
        rf"{S}(?:always )?(?:use|write|say|choose|pick|prefer|call|run|put|reach for|go with|take|log"
        rf"|send|store|push|deploy|sort|return|commit|answer|count|measure|report|quote"
        rf"|name)\b.{{2,80}}(?:\b(?:instead(?: of)?|rather than|over|as opposed to)\b|, not\b"
        rf"|\bnot (?:the )?[\w./-]+[.!]?$)",
    ),
    (
        Kind.RULE,
        "every everything all any each",
        rf"{S}{DO}\b.{{0,60}}\b(?:every|each|all|any|everything|anything)\b",
    ),
    (
        Kind.RULE,
        "expect want require demand insist need wants requires insists expects",
        r"\b(?:i|we|they|legal|security|customers?|clients?|\w+) (?:expect|want|require|demand|insist"
        r"|need|wants|requires|expects|insists)s? (?:on |that )?(?:\w+ ){0,3}?(?:every|each|all"
        r"|always|any)\b",
    ),
    (
        Kind.RULE,
        "are is",
        r"\b(?:are|is) (?:always )?to (?:be|remain|stay|have|include|use|go) (?!blame|honest)",
    ),
    (
        Kind.RULE,
        "for in with when",
        r"^(?:for|in|with|on) [^,.]{2,40}?,? (?:please |always |only )?(?:use|write|put|answer|call"
        r"|include|add|run|keep|choose|take|follow|start|give) ",
    ),
    (
        Kind.RULE,
        "without",
        r"\b(?:nothing|no \w+) (?:\w+ ){0,2}(?:ships?|goes|leaves|gets?|is|are"
        r"|happens) .{0,30}without\b",
    ),
    (
        Kind.RULE,
        "always",
        r"(?<!\bi )(?<!\bit )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bthis )(?<!\bthat )(?<!\bthere"
        r" )(?<!\bwe've )\b[a-z]+ (?:is |are )?always (?:include|mean|exclude|cover|apply|refer|start"
        r"|end|contain|carry|use|come|go|count|cost|in\b|on\b|to\b|with|net|at\b|plural|singular"
        r"|written|given|the)\w*|\bi always (?:want|need|expect)\b",
    ),
    (
        Kind.RULE,
        "until till long while",
        rf"\b(?:until|till) (?:i|we|you|legal|further|\w+ (?:has|have|gives?|says?|approves?|signs?"
        rf"|confirms?|is back))\b|{S}(?:wait|hold|hold off|pause|postpone|freeze)\b.{{0,40}}\b(?:until"
        rf"|till|before|for (?:my|our|the))\b|{S}(?:as long as|while) .{{3,60}}, (?:don't|do not|never"
        rf"|no|only|keep|use)",
    ),
    (Kind.RULE, "wait hold", rf"{S}(?:wait|hold)\b.{{0,40}}\b(?:before|for (?:my|our|the \w+) )"),
    (
        Kind.RULE,
        "goes go through first",
        r"\b(?:goes|go|must go|has to go|have to go) (?:through|via|to) [a-z]+(?: \w+)? (?:first"
        r"|before)\b|\b(?:goes|has to go) through (?:\w+ )?(?:review|approval|legal|qa|security)\b"
        r"|^\w+(?: \w+)? first, then \w+|\b(?:passes|run|put|get) (?:it|everything|this|them) (?:past"
        r"|by) (?:me|us)\b",
    ),
    (
        Kind.RULE,
        "needs need requires require",
        r"\b(?:needs?|requires?) (?:a|an|my|our|your|\w+'s|two|one|the"
        r"|at least) (?:\w+ ){0,2}(?:manager|approval|reviews?|reviewers?|sign-?off|ok|permission"
        r"|caption|ticket|title|confirmation|label|source|citation|access|seat|supervisor|comment"
        r"|docstring|explanation|reason|unit)\b|\b(?:he|she|they|i|customer|client"
        r"|guest) needs? [a-z]+ access\b",
    ),
    (
        Kind.RULE,
        "not",
        r"^(?!.*\b(?:was|were|it's|it is|that's|i'm|i|he|she|they|seems?|looks?|did"
        r"|had)\b).{4,90}, not \w+",
    ),
    (
        Kind.RULE,
        "belong belongs wherever anywhere anytime",
        r"\bbelongs? (?:in|to|on|under|at)\b|^(?:please |and )?(?:wherever|anywhere|any ?time) (?:you"
        r"|we|there|it)\b",
    ),
    (
        Kind.RULE,
        "stay stays start starts end ends include includes exclude excludes count counts are come"
        " comes run runs close closes open opens",
        r"^(?:and |also |fyi,? |note: )?(?:our|my|all|the company's|company) (?:\w+ ){1,3}?(?:starts?"
        r"|ends?|begins?|closes?|opens?|runs?|includes?|excludes?|counts?) (?:in|on|at|from|as|with"
        r"|to)\b|^(?:and |also |fyi,? |note: )?(?!(?:this|tests|errors?|bugs|it|pages|was|is|users"
        r"|things|sometimes|always|yes|thanks|guess|does|has|builds|logs|requests"
        r"|results)\b)[a-z-]+s (?:\w+ ){0,3}?(?:stay|start|end|include|exclude|count|come|go|run"
        r"|close|open|belong|get|need|use|carry|follow) (?:in|on|at|as|with|to|from|out|a|an|the|no"
        r"|their|first|last|by|under|into|through|vat|only)\b|^(?:and |also |fyi,? "
        r"|note: )?(?:sundays|weekends|fridays|holidays|mondays|saturdays|evenings|mornings"
        r"|nights)\b.{0,20}\bare\b",
    ),
    (
        Kind.RULE,
        "default",
        r"\b(?:by|the|as a) default\b.{0,10}\b(?:use|should|must|is|to|answer|we|always|choose|assume"
        r"|,)\b|\b^default to\b|\bdefault to\b",
    ),
    (
        Kind.RULE,
        "use",
        rf"{S}use .{{1,60}}\b(?:for (?:all|any|every|the|each|new|tests?|\w+ing|\w+s)\b|everywhere"
        rf"|throughout|only|at all times|when(?:ever)?)\b",
    ),
    (
        Kind.RULE,
        "responsible secret confidential private internal between",
        r"\b(?:is|are|stays?|remains?|keep (?:this|it|that)|treat \w+ as) (?:\w+ )?(?:confidential"
        r"|secret|strictly internal|under nda|embargoed)\b|\bbetween (?:us|you and me)\b",
    ),
    (
        Kind.RULE,
        "tests commits commit pr prs merge branch",
        rf"{S}(?:run|squash|sign|rebase|write|open|create|update|add|bump|lint"
        rf"|work)\b.{{0,50}}\b(?:before|after|per|on a|on an|with|to|in|for) (?:you |each |every |any "
        rf"|committing|commit|pushing|push|merging|merge|new|feature|separate|changelog|your"
        rf"|the changelog)\b",
    ),
    (
        Kind.RULE,
        "compatible compatibility backward backwards compliant gdpr hipaa accessible",
        r"\b(?:must|need\w*|has to|have to|stay|remain|keep|be|should|is to)\b.{0,50}\b(?:compatible"
        r"|compatibility|compliant|gdpr|hipaa|accessible)\b",
    ),
    (Kind.RULE, "priority first matters", r"\b(?:takes? priority|has priority|comes? first|above all)\b"),
    (Kind.RULE, "always", r"\balways[.!]?$"),
    (
        Kind.RULE,
        "rejected refused reverted ignored declined",
        r"\b(?:any|all|every|each) .{2,60}\b(?:gets?|will be|is|are|be) (?:rejected|refused|reverted"
        r"|ignored|declined)\b",
    ),
    (
        Kind.RULE,
        "keep",
        rf"{S}keep (?:the|all|our|my|any|its|their) (?:existing|current|original|old|same)\b",
    ),
    (Kind.RULE, "only", r"^the only [\w-]+ (?:we|you|i) .{2,30}\b(?:is|are)\b"),
    (Kind.RULE, "crucial essential vital important", r"\b(?:essential|vital|crucial|important) (?:you|we)\b"),
)

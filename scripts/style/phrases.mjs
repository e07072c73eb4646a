/**
 * The phrases that htskit does not write, each with what to write instead.
 *
 * A pattern must leave ordinary English alone: "behind a reverse proxy", "tell two files apart" and "the line where the
 * record begins" are fine. A phrase that is right in a place and matched all the same is a fault of its pattern: make
 * the pattern narrower, do not bend the sentence.
 *
 * `only: 'doc'` restricts a phrase to JSDoc comments. Patterns see a comment, message or paragraph as one line.
 */

const AFTER_PROXY =
  '(?:the scenes|(?:(?:a|an|the|any|each|such a|its|one|several|many) )?(?:[\\w-]+ ){0,2}' +
  '(?:prox(?:y|ies)|balancers?|nginx|gateways?|CDNs?|firewalls?|NAT|flags?|interfaces?)\\b)';

export const PHRASES = [
  {
    pattern: new RegExp(
      `(?<!\\b(?:left|leaves?|leaving|lags?|falls?|fell|hid(?:es?|den)|ideas?|reason(?:ing|s)?|numbers?) )\\bbehind\\b(?! ${AFTER_PROXY})`,
      'gi',
    ),
    instead: 'after, past',
  },
  {
    pattern:
      /(?<!\b(?:prox(?:y|ies)|balancers?|nginx|gateways?|CDNs?|caches?) (?:stands? |runs? |is |are )?)\bin front of\b/gi,
    instead: 'before',
  },
  {
    pattern: /\b(?:tells?|telling|told)\b(?!(?: [\w`'-]+){0,4}? (?:apart|from)\b)/gi,
    instead: 'report, state, say, return, pass',
  },

  // "where" for a condition. "where" for a place is fine.
  {
    pattern:
      /\b(?:[Uu]ndefined|null|true|false|[Oo]nly|[Nn]othing|[Nn]one|empty|except|even|unless|fails?|throws?|rejects?|absent|missing|zero|[A-Z]{2,}(?:_[A-Z]+)+|\w+Error) where\b/g,
    instead: 'if, when',
  },
  { pattern: /\bwhere (?:there|nothing|none|nobody|no)\b/gi, instead: 'if there is no, if no' },
  {
    pattern:
      /\bwhere (?:it|this|that|they|one|these|those) (?:cannot|(?:is|are|was|were|does|do|did|has|have|had|can|could|may|must|would|will) not)\b/gi,
    instead: 'if, when',
  },
  {
    pattern:
      /\bwhere (?:it|this|that|they|these|those) (?:is|are|was|were) (?:too|so|possible|impossible|known|unknown|forbidden|allowed|permitted|the case|needed|necessary|more|less|fewer|off|on|any|undefined|empty|given|set|missing|enough)\b/gi,
    instead: 'if, when',
  },
  {
    pattern: /(?:^|[.;:] )Where (?!possible|appropriate|supported|needed|necessary|available)[^.?;:]*,/g,
    instead: 'If, When',
  },

  // Negation.
  { pattern: /(?<!\bthere )\b(?:is|are|was|were|be) none\b/gi, instead: 'is not a …, are not …, anything else' },
  {
    pattern:
      /(?<!\b(?:there|here) )\b(?:is|are|was|were|be) no (?!longer|more|less|fewer|better|worse|faster|slower|larger|smaller|shorter|later|earlier|higher|lower|wider|different|good|match|use|help|problem|way|wonder|guarantee|exception|substitute)(?=\w)/gi,
    instead: 'is not a',
  },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were|be) nothing\b(?! (?:more|less|but) than\b)/gi, instead: 'is not' },
  { pattern: /\bof no (?:account|matter)\b/gi, instead: 'does not matter, is ignored' },

  // Fragments instead of sentences.
  {
    pattern: /^(?:(?:In|For|By|To) which|Where|Who|Whom|Whose|That|Of|Told|Also|As|What) (?!is |are )/g,
    only: 'doc',
    instead: 'a sentence that begins with a verb ("Returns …") or a noun phrase ("The offset of …")',
  },
  { pattern: /(?:^|(?<=[.;:] ))Who [^?]*?[.,]/g, instead: 'name the subject: the caller, the client' },
  { pattern: /(?:^|(?<=[.;:] ))Says\b/g, instead: 'Returns, Reports' },
  { pattern: /(?:^|(?<=[.;:] ))Gives\b(?! up\b)/g, instead: 'Returns, Passes' },
  { pattern: /\bthrows? as\b/gi, instead: 'throws the same errors as' },
  {
    pattern: /\bas of\b(?! (?:version|v?\d|now|today|the (?:time|date|moment)|RFC|[A-Z]\w+ \d))/gi,
    instead: 'like, as for',
  },
  {
    pattern:
      /(?<!\b(?:all|any|both|each|either|few|first|half|last|many|more|most|much|neither|none|one|part|rest|second|some|two|three|four|number|size|sum|length|end|start|beginning) )\bof which\b/gi,
    instead: 'whose, each of which, that',
  },

  // Words of the house.
  { pattern: /\basked for\b/gi, instead: 'requested' },
  { pattern: /\bwhom\b/gi, instead: 'name the subject' },
  { pattern: /\bwhoever\b/gi, instead: 'the caller, the client, anyone who' },
  { pattern: /\b(?:nobody|somebody)\b/gi, instead: 'no caller, no client, someone' },
  { pattern: /\bat hand\b/gi, instead: 'current' },
  { pattern: /\b(?:go|goes|went|going) on\b(?! to\b)/gi, instead: 'continue' },
  {
    pattern: /\b(?:is|are|was|were|be) there(?=[.,;)]|$| (?:and|but|or|already)\b)/gi,
    instead: 'exist, be present',
  },
  {
    pattern: /\b(?:stands?|stood)\b(?! (?:for|alone|in for|out|still|by)\b)/gi,
    instead: 'is, is stored, appears, lies',
  },
  { pattern: /\b(?:tak(?:es?|en|ing)|took) the place of\b/gi, instead: 'replace' },
  {
    pattern:
      /(?<!\b(?:two|three|several|more|of) )\bpass(?:es|ed|ing) over\b|\b(?:to|not|and|or|may|will|are|is|they|it|which|that) pass over\b/gi,
    instead: 'skip',
  },
  { pattern: /\blook(?:s|ed|ing)? after\b/gi, instead: 'manage, maintain' },
  { pattern: /\bas many as there\b/gi, instead: 'all, the count of' },
  { pattern: /\bwhat (?:it|they) (?:has|have)\b/gi, instead: 'name the thing' },
  { pattern: /\branks?\b/gi, instead: 'index, or referenceId for a reference' },
];

/** Words that no identifier contains. */
export const NAMES = [
  { words: ['rank', 'ranks'], instead: 'index, or referenceId for a reference' },
  { words: ['behind'], instead: 'after' },
  { words: ['tell', 'tells', 'told'], instead: 'report, state' },
  { words: ['asker', 'askers'], instead: 'request, caller' },
  { words: ['patience'], instead: 'retry' },
];

/** Texts to which a rule applies: comments of code, documents, titles of tests. */
export type ProseScope = 'comments' | 'documents' | 'titles';

export type ProseRule = {
  /** Key of the rule in the list of remaining hits. */
  readonly name: string;
  readonly pattern: RegExp;
  /** Replacement, for the message. */
  readonly write: string;
  /** Default: everywhere. */
  readonly scopes?: readonly ProseScope[];
};

/** Longest sentence, in words. */
export const sentenceWordsMax = 30;

/** Patterns of unclear language. `docs/style.md` gives the reasons. */
export const proseRules: readonly ProseRule[] = [
  {
    name: 'docstring-start',
    pattern: /^(?:What|Whatever|Whether|Who|Whoever|Of|That|How|Where|Why)\b/,
    write: 'a docstring that starts with a verb ("Returns …") or a noun',
    scopes: ['comments'],
  },
  {
    name: 'told',
    pattern: /\b(?:is|are|was|were|been|be|gets?) told\b/i,
    write: 'notified, reported, returned',
  },
  { name: 'tell', pattern: /\btells?\b/i, write: 'notify, report, return, state' },
  { name: 'untold', pattern: /\buntold\b/i, write: 'unsent' },
  { name: 'hear-of', pattern: /\bhears? (?:of|about)\b/i, write: 'is notified of' },
  {
    name: 'whoever',
    pattern: /\b(?:who|what|which)(?:so)?ever\b/i,
    write: 'the caller, the user, any value',
  },
  { name: 'somebody', pattern: /\b(?:some|every)(?:body|one)\b/i, write: 'a user, the caller, all users' },
  { name: 'nobody', pattern: /\bnobody\b|\bno one\b/i, write: 'no user, no recipient' },
  { name: 'anybody', pattern: /\banybody\b|\banyone\b/i, write: 'any user' },
  { name: 'such-a-one', pattern: /\bsuch (?:a )?ones?\b/i, write: 'the noun' },
  { name: 'of-ours', pattern: /\bof (?:ours|theirs|its own|one’s own|one's own)\b/i, write: 'our …, its …' },
  { name: 'stands', pattern: /\bstands?\b(?! for\b)/i, write: 'is, appears' },
  { name: 'stands-for', pattern: /\bstands? for\b/i, write: 'represents, means' },
  { name: 'goes-on', pattern: /\bgo(?:es)? on\b/i, write: 'continues' },
  { name: 'goes-out', pattern: /\bgo(?:es)? out\b/i, write: 'is sent' },
  { name: 'comes-of', pattern: /\bcomes? of\b/i, write: 'results from' },
  { name: 'comes-back', pattern: /\bcomes? back\b/i, write: 'resumes, returns' },
  { name: 'taken-up', pattern: /\b(?:takes?|taken|took) up\b/i, write: 'resumed, retried, claimed' },
  { name: 'looks-at', pattern: /\blook(?:s|ed|ing)? (?:at|after)\b/i, write: 'checks, inspects, maintains' },
  { name: 'look-noun', pattern: /\b(?:a|the|each|one|next|last) look\b/i, write: 'check, pass' },
  { name: 'at-once', pattern: /\bat once\b/i, write: 'immediately, at the same time' },
  { name: 'so-long', pattern: /\bfor so long\b|\bso many of\b/i, write: 'for that duration, that many' },
  { name: 'is-away', pattern: /\b(?:is|are|was|were) away\b/i, write: 'is unavailable' },
  {
    name: 'is-there',
    pattern: /\b(?:is|are|was|were) there\b(?! (?:a|an|any|no)\b)/i,
    write: 'exists, is available',
  },
  { name: 'holds', pattern: /\bholds?\b/i, write: 'contains, has, applies' },
  { name: 'kept', pattern: /\b(?:is|are|was|were) kept\b/i, write: 'is stored, is retained' },
  { name: 'asked', pattern: /\b(?:is|are|was|were) asked\b/i, write: 'is queried, is requested' },
  { name: 'what-is', pattern: /\bwhat (?:is|was|are|were) \w+(?:ed|en|wn|de|nt|id)\b/i, write: 'a noun' },
  { name: 'those-who', pattern: /\b(?:those|one) (?:who|that|which)\b/i, write: 'the noun' },
  { name: 'by-itself', pattern: /\bby (?:itself|themselves)\b/i, write: 'rewrite the sentence' },
  { name: 'as-it-is', pattern: /\bas (?:it is|they are|they come|it comes)\b/i, write: 'unchanged' },
];

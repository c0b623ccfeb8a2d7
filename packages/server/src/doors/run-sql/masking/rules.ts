/** Which personal data a run masks. */
export type MaskingRules = {
  readonly isEnabled: boolean;
  /**
   * Patterns of an operator's own, for column names and values, without case. `parsePattern` says what they may hold;
   * one that does not parse masks everything.
   */
  readonly customPatterns?: readonly string[];
};

/** Parts of column names that speak of personal data or secrets; compared without case, `_` and `-`. */
const nameParts = [
  'email',
  'phone',
  'mobile',
  'socialsecurity',
  'taxid',
  'passport',
  'creditcard',
  'cardnumber',
  'password',
  'secret',
  'token',
  'birthdate',
  'dateofbirth',
  'address',
  'zipcode',
  'postal',
  'nationalid',
  'iban',
];

/** Short ones count as a word of their own only: `process_name` holds `ssn`, letter by letter. */
const nameWords = new Set(['ssn', 'cvv', 'cvc', 'pwd', 'dob', 'zip', 'ip']);

/** Verdicts by name: every statement over the same tables holds the same few. */
const verdicts = new Map<string, boolean>();
const verdictsMax = 2_000;
const verdictLengthMax = 100;

/** True for a column name that speaks of personal data. */
export function isPersonalName(name: string): boolean {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = hasPersonalPart(name);
  if (name.length > verdictLengthMax) return verdict;
  if (verdicts.size >= verdictsMax) verdicts.clear();
  verdicts.set(name, verdict);
  return verdict;
}

function hasPersonalPart(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const bare = words.join('');
  return words.some((word) => nameWords.has(word)) || nameParts.some((part) => bare.includes(part));
}

/** The masked form: NULL stays, up to two characters become three asterisks, else the ends stay visible. */
export function maskText(text: string): string {
  if (text.length <= 2) return '***';
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const last = text.codePointAt(text.length - 2) ?? 0;
  return `${first}***${last > 0xffff ? String.fromCodePoint(last) : text.slice(-1)}`;
}

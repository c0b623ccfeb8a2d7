/** Masking rules of a run. */
export type MaskingRules = {
  readonly isEnabled: boolean;
  /**
   * Patterns of the operator for column names and values, ignoring case. `parsePattern` defines their syntax. An invalid
   * pattern masks everything.
   */
  readonly customPatterns?: readonly string[];
};

/** Parts of column names that suggest personal data or secrets, compared without case, `_` and `-`. */
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

/** Short names match only as a separate word: `process_name` contains the letters `ssn`. */
const nameWords = new Set(['ssn', 'cvv', 'cvc', 'pwd', 'dob', 'zip', 'ip']);

/** Cache of verdicts by name: statements over the same tables contain the same names. */
const verdicts = new Map<string, boolean>();
const verdictsMax = 2_000;
const verdictLengthMax = 100;

/** Returns true for a column name that suggests personal data. */
export function isPersonalName(name: string): boolean {
  const cachedVerdict = verdicts.get(name);
  if (cachedVerdict !== undefined) return cachedVerdict;
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

/**
 * Returns the masked form. Texts of up to two characters become three asterisks; longer ones show their first and last
 * character.
 */
export function maskText(text: string): string {
  if (text.length <= 2) return '***';
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const last = text.codePointAt(text.length - 2) ?? 0;
  return `${first}***${last > 0xffff ? String.fromCodePoint(last) : text.slice(-1)}`;
}

import { cardDigitsMax, cardDigitsMin, isCardNumber } from './card-numbers.ts';

const phonePattern = /(?<![\w.])\+\d[\d ().-]{6,18}\d(?!\w)/;
const dashedPhonePattern = /(?<![\d-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\d-])/;
const socialSecurityPattern = /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/;

const phoneDigitsMin = 7;

/** Returns true if a text contains an email address, or a phone, card or social-security number in a usual form. */
export function holdsPersonalValue(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 64 && isEmailAt(text, at)) return true;
    if (code >= 48 && code <= 57) digits++;
  }
  if (digits < phoneDigitsMin) return false;
  if (digits >= cardDigitsMin && holdsCardNumber(text)) return true;
  return phonePattern.test(text) || dashedPhonePattern.test(text) || socialSecurityPattern.test(text);
}

const domainLengthMax = 255;

/** Checks for text before the `@`, and for a domain with a dot and an alphabetic ending after it. */
function isEmailAt(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (at === 0 || before <= 32 || before === 64) return false;
  const domain = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u;
  return domain.test(text.slice(at + 1, at + 1 + domainLengthMax));
}

/** Groups of digits, with one or two blanks or dashes between them, and at least as many digits as a card number. */
const digitGroups = /\d(?:[ \u00a0\u2010-\u2015-]{0,2}\d){12,}/g;

/** Returns true if neighbouring groups of digits together are a card number, also next to other groups. */
function holdsCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(digitGroups)) {
    const groups = run.match(/\d+/g) ?? [];
    for (let first = 0; first < groups.length; first++) {
      let digits = '';
      for (let last = first; last < groups.length && digits.length <= cardDigitsMax; last++) {
        digits += groups[last];
        if (isCardNumber(digits)) return true;
      }
    }
  }
  return false;
}

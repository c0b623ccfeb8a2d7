import { domainToASCII } from 'node:url';
import { mask, type Parsed, type ReviewPart, refused } from '../destination/mask.ts';

/** A bare email address. */
export type EmailDestination = { readonly address: string; readonly domain: string };

const atoms = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/**
 * Parses a bare address: no display name, no second address, no comment, no quotes (spec 3 section 2.1). Returns the
 * domain in lower case, in its ASCII form.
 */
export function parseEmailAddress(text: string): Parsed<EmailDestination> {
  if (/[<>"(),;:\s]/.test(text))
    return refused('Enter one bare email address, without a display name: name@example.com.');
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = domainToASCII(text.slice(at + 1)).toLowerCase();
  const isValid =
    at > 0 &&
    text.length <= 254 &&
    local.length <= 64 &&
    atoms.test(local) &&
    domain.length <= 253 &&
    domainName.test(domain);
  if (!isValid) return refused('The email address is not valid.');
  return { ok: true, value: { address: `${local}@${domain}`, domain } };
}

/**
 * Returns true if the list `AllowedHosts:Email` contains the domain: names, or `*.` and a suffix. An empty list allows
 * any domain.
 */
export function isDomainAllowed(domain: string, allowed: readonly string[]): boolean {
  return (
    allowed.length === 0 ||
    allowed
      .map((entry) => entry.trim().toLowerCase())
      .some((entry) => (entry.startsWith('*.') ? domain.endsWith(entry.slice(1)) : domain === entry))
  );
}

/** Returns the address with its local part hidden except for the first character. */
export function maskEmailAddress({ address, domain }: EmailDestination): string {
  return `${Array.from(address)[0] ?? ''}${mask}@${domain}`;
}

/** Reviewers see the full address (spec 3 section 5.5). */
export function reviewEmailAddress({ address }: EmailDestination): ReviewPart[] {
  return [{ label: 'Address', value: address }];
}

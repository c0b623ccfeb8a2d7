import { plural } from '@svc/contract';
import { brokenRule } from '../../platform/http/index.ts';
import { wellKnownPasswords } from './well-known.ts';

export type PasswordPolicy = {
  readonly lengthMin: number;
  readonly requireComplexity: boolean;
};

const classes: readonly (readonly [RegExp, string])[] = [
  [/\p{Lu}/u, 'an upper-case letter'],
  [/\p{Ll}/u, 'a lower-case letter'],
  [/\p{Nd}/u, 'a digit'],
  [/[^\p{L}\p{Nd}]/u, 'a character that is neither letter nor digit'],
];

/** Returns the weakness of a new password as text; undefined when the password is acceptable. */
export function weaknessOf(policy: PasswordPolicy, password: string, userName: string): string | undefined {
  // Counts code points, not UTF-16 units.
  if ([...password].length < policy.lengthMin)
    return `The password needs at least ${plural(policy.lengthMin, 'character')}.`;
  if (policy.requireComplexity) {
    const absent = classes.filter(([pattern]) => !pattern.test(password)).map(([, name]) => name);
    if (absent.length > 0) return `The password needs ${absent.join(', ')}.`;
  }
  const folded = password.toLowerCase();
  if (folded === userName.toLowerCase()) return 'The password must not be the user name.';
  if (wellKnownPasswords.has(folded))
    return 'This password is among the best-known ones and the first to be tried. Choose another.';
  return undefined;
}

/** Throws 400 with the weakness of a new password. */
export function refuseWeakPassword(
  policy: PasswordPolicy,
  password: string,
  user: { userName: string; member: string },
): void {
  const weakness = weaknessOf(policy, password, user.userName);
  if (weakness === undefined) return;
  throw brokenRule('weak-password', weakness, [{ path: `/${user.member}`, message: weakness }]);
}

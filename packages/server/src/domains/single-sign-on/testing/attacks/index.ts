import { admissionAttacks } from './admission.ts';
import { answerAttacks } from './answers.ts';
import type { Attack } from './attack.ts';
import { claimAttacks } from './claims.ts';
import { signatureAttacks } from './signatures.ts';

/** Each changes one thing about a sound sign-in, and says for which reason that is refused. */
export const attacks: Record<string, Attack> = {
  ...signatureAttacks,
  ...claimAttacks,
  ...answerAttacks,
  ...admissionAttacks,
};

import { admissionAttacks } from './admission.ts';
import { answerAttacks } from './answers.ts';
import type { Attack } from './attack.ts';
import { claimAttacks } from './claims.ts';
import { signatureAttacks } from './signatures.ts';

/** Attacks that each change one part of a sound sign-in, with the reason of the refusal. */
export const attacks: Record<string, Attack> = {
  ...signatureAttacks,
  ...claimAttacks,
  ...answerAttacks,
  ...admissionAttacks,
};

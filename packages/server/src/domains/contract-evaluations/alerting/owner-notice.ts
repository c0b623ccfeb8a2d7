import type { RunKey } from '../../../gateways/send/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import { findOwnerNotice } from './store.ts';

/**
 * Sends the owner of a contract a notice about the evaluation of a run. While the contract continues to fail, the owner
 * gets one notice, plus one per reminder of its alert.
 */
export async function notifyOwner(
  tx: Tx,
  tellResponsible: TellResponsible,
  run: RunKey,
  hasNoRecipient: boolean,
): Promise<void> {
  const facts = await findOwnerNotice(tx, run);
  if (!facts) return;
  const { contractId, evaluationId, status, brokenRules, alertNews, isRepetition } = facts;
  await tellResponsible(tx, {
    kind: alertNews === 'Recovered' ? 'ContractRecovered' : 'ContractFailed',
    subject: { kind: 'Contract', id: contractId },
    runId: run.id,
    facts: { evaluationId, status, brokenRules, hasNoRecipient },
    isRepetition: isRepetition && alertNews === null,
  });
}

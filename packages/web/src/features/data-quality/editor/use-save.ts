import {
  addDataContractRecipients,
  createDataContract,
  type DataContract,
  DataContractInput,
  removeDataContractRecipient,
  replaceDataContract,
} from '@svc/contract';
import { useRef, useState } from 'react';
import { checkedParts, focusFirstError, refusedParts } from '../../../lib/form.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { bodyOf, type ContractDraft, draftOf, fingerprintOf, ruleInputOf } from './draft.ts';
import { draftFaults, keyed } from './draft-faults.ts';
import type { DraftState } from './use-draft.ts';

/** Parts of the draft that display their own errors. `rules` displays the errors of each rule. */
const shownParts = new Set([
  'name',
  'description',
  'projectId',
  'dataSourceId',
  'tableName',
  'cronExpression',
  'timeZone',
  'rules',
  'warnScore',
  'failScore',
  'recipientIds',
  'alert',
  'quietHours',
  'slaHours',
]);

export type Save = ReturnType<typeof useSave>;

/** Saves a draft: creates a contract, or replaces the saved one. */
export function useSave(saved: DataContract | null, start: ContractDraft, state: DraftState) {
  const { draft } = state;
  const [clean, setClean] = useState(() => fingerprintOf(start));
  const [refusal, setRefusal] = useState<unknown>(null);
  const stored = useRef<DataContract | null>(saved);
  const create = useChange(createDataContract, { touches: ['recipients', 'control-tower'] });
  const replace = useChange(replaceDataContract, {
    touches: ['control-tower'],
    headers: () => ifUnchanged(stored.current?.version ?? 0),
  });
  const attach = useChange(addDataContractRecipients, { touches: ['recipients'] });
  const detach = useChange(removeDataContractRecipient, { touches: ['recipients'] });
  const recipientIds = draft.recipientIds.map(({ id }) => id);

  /** Adds and removes recipients. An existing contract has separate requests for them. */
  const sendRecipients = async ({ id, recipients }: DataContract): Promise<void> => {
    const present = recipients.map((recipient) => recipient.id);
    const added = recipientIds.filter((each) => !present.includes(each));
    if (added.length > 0) await attach.mutateAsync({ params: { id }, body: { recipientIds: added } });
    for (const recipientId of present.filter((each) => !recipientIds.includes(each)))
      await detach.mutateAsync({ params: { id, recipientId } });
  };

  const send = async (body: DataContractInput): Promise<DataContract> => {
    if (!stored.current) return create.mutateAsync({ body: { ...body, recipientIds } });
    const { id } = stored.current;
    stored.current = await replace.mutateAsync({ params: { id }, body });
    await sendRecipients(stored.current);
    return stored.current;
  };

  const isSound = async (): Promise<boolean> => {
    const checked = await checkedParts(DataContractInput, bodyOf(draft));
    const errors = { ...keyed(checked, draft.rules), ...draftFaults(draft) };
    state.show(errors);
    if (Object.keys(errors).length === 0) return true;
    focusFirstError();
    return false;
  };

  return {
    /** Saves the draft. Returns the saved contract, or undefined after a refusal, which the form shows. */
    now: async (): Promise<DataContract | undefined> => {
      setRefusal(null);
      if (!(await isSound())) return undefined;
      try {
        const created = await send(bodyOf(draft) as DataContractInput);
        setClean(fingerprintOf(draft));
        return created;
      } catch (error) {
        const byPlace = keyed(refusedParts(error), draft.rules);
        const places = Object.keys(byPlace);
        state.show(byPlace);
        const isShown =
          places.length > 0 && places.every((place) => shownParts.has(place.split('/')[0] ?? ''));
        setRefusal(isShown ? null : error);
        if (isShown) focusFirstError();
        return undefined;
      }
    },
    /** Version on which the draft is based. 0 for a new contract. */
    version: stored.current?.version ?? 0,
    /** Continues from the version that another user saved meanwhile. */
    adopt: (theirs: DataContract): void => {
      stored.current = theirs;
      setClean(fingerprintOf(draftOf(theirs)));
      setRefusal(null);
    },
    /** Saves the draft as a new contract. The contract that the other user changed remains. */
    saveCopy: async (): Promise<DataContract> => {
      const rules = draft.rules.map((rule) => ruleInputOf({ ...rule, id: null }));
      const body = { ...bodyOf(draft), name: `${draft.name.trim()} (my copy)`, rules } as DataContractInput;
      const copy = await create.mutateAsync({ body: { ...body, recipientIds } });
      setClean(fingerprintOf(draft));
      return copy;
    },
    refusal,
    isDirty: fingerprintOf(draft) !== clean,
    isSaving: create.isPending || replace.isPending || attach.isPending || detach.isPending,
  };
}

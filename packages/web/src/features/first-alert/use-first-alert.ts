import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { useFocusOnQuestion } from '../../ui/frame/flow-steps.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { useCondition, useData, useTarget } from './answers.ts';
import { queryName, type Ready, schedules } from './choices.ts';
import { useMaking } from './use-making.ts';

export const steps = ['Data', 'Condition', 'Recipient', 'Send'] as const;
export const lastStep = steps.length - 1;

/** Parameters of the address that preselect the data. */
export type Preselection = { readonly dataSourceId: number | null; readonly projectId: number | null };

export type FirstAlertState = ReturnType<typeof useFirstAlert>;

/** State of the flow: the present step and the answers. Each step creates the records that the next step needs. */
export function useFirstAlert(preselection: Preselection) {
  const go = useGo();
  const making = useMaking();
  const [at, setAt] = useState(0);
  const [ready, setReady] = useState<Ready | null>(null);
  const data = useData(preselection);
  const when = useCondition(ready);
  const to = useTarget(making);
  const [typedName, setName] = useState<string | null>(null);
  const [cronExpression, setSchedule] = useState<string>(schedules[0].value);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const name = typedName ?? queryName(when.table, when.condition);
  useFocusOnQuestion(at);

  const finishData = async () => {
    const source = await making.prepare(data.origin, data.projectId);
    if (!source) return;
    if (source.dataSourceId !== ready?.dataSourceId) await when.begin(source);
    setReady(source);
    setAt(1);
  };
  const send = async () => {
    if (!ready || when.sql === undefined || to.recipientId === null) return;
    const alert = { name: name.trim(), sql: when.sql, cronExpression, recipientId: to.recipientId };
    const runId = await making.send(ready, alert);
    toastDone(`“${alert.name}” was created, and runs now.`);
    go(paths.notification(runId), { replace: true, isSaved: true });
  };
  const finish = [
    finishData,
    () => when.check().then(() => setAt(2)),
    () => to.make().then(() => setAt(lastStep)),
    send,
  ];
  const isAnswered = [data.isAnswered, when.sql !== undefined, to.isAnswered, name.trim() !== ''];
  return {
    at,
    goTo: (step: number) => {
      setError(null);
      setAt(step);
    },
    /** Finishes the present step. An error of it remains in `error`. */
    goOn: async () => {
      setError(null);
      setBusy(true);
      await finish[at]?.().catch(setError);
      setBusy(false);
    },
    ready,
    data,
    when,
    to,
    name,
    setName,
    cronExpression,
    setSchedule,
    error,
    isAnswered: isAnswered[at] ?? false,
    isBusy,
  };
}

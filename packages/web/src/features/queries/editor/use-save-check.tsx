import { Button } from '@mantine/core';
import { type PreflightGate, preflightDraft, type Subscription } from '@svc/contract';
import { useState } from 'react';
import { call } from '../../../lib/call.ts';
import { plural } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { sentence } from '../../../lib/problem.ts';
import { queryClient } from '../../../lib/server-state.ts';
import { subscriptions } from '../../../requests/subscriptions.ts';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import { type Draft, runOf } from '../../../views/query-run/draft.ts';
import classes from './use-save-check.module.css';

type Found = {
  readonly failed: readonly PreflightGate[];
  readonly subscriptions: readonly Subscription[];
  readonly count: number;
  readonly answer: (isSaved: boolean) => void;
};

const listed = '50';

/**
 * Looks at a query before it is saved over one that subscriptions run: where it would not run, whoever saves sees who
 * is subscribed, and decides. A check that cannot be made stops nobody.
 */
export function useSaveCheck(queryId: number | undefined) {
  const [found, setFound] = useState<Found | null>(null);

  const isToBeSaved = async (draft: Draft): Promise<boolean> => {
    if (queryId === undefined) return true;
    const live = await queryClient
      .fetchQuery({ ...subscriptions({ queryId, pageSize: listed }), staleTime: 0 })
      .catch(() => undefined);
    const [first] = live?.items ?? [];
    if (!live || !first) return true;
    const body = runOf(draft, { kind: 'all' }, first.parameters);
    const checked = body && (await call(preflightDraft, { body }).catch(() => undefined));
    if (!checked || checked.isReady) return true;
    const failed = checked.gates.filter((gate) => gate.verdict === 'Failed');
    return new Promise((answer) =>
      setFound({ failed, subscriptions: live.items, count: live.totalCount, answer }),
    );
  };

  const answer = (isSaved: boolean) => {
    found?.answer(isSaved);
    setFound(null);
  };
  return {
    isToBeSaved,
    question: found && <Question found={found} onAnswer={answer} />,
  };
}

type QuestionProps = { readonly found: Found; readonly onAnswer: (isSaved: boolean) => void };

function Question({ found, onAnswer }: QuestionProps) {
  return (
    <Dialog title="This query would not run" onClose={() => onAnswer(false)} size={560}>
      <div className="stack">
        <ul className={classes['list']}>
          {found.failed.map((gate) => (
            <li key={`${gate.stepOrder} ${gate.isFinalQuery} ${gate.gate}`}>
              {sentence(gate.message)}
              {gate.position && ` Line ${gate.position.line}, column ${gate.position.column}.`} {gate.next}
            </li>
          ))}
        </ul>
        <p>
          {plural(found.count, 'active subscription')} {found.count === 1 ? 'runs' : 'run'} it, and would fail
          from the next run on:
        </p>
        <ul className={classes['list']}>
          {found.subscriptions.map((subscription) => (
            <li key={subscription.id}>
              <Link to={paths.subscription(subscription.id)}>{subscription.schedule.description}</Link>{' '}
              <span className="soft">
                to {subscription.recipients.map((recipient) => recipient.name).join(', ') || 'nobody'}
              </span>
            </li>
          ))}
        </ul>
        <div className="row wrap" style={{ justifyContent: 'flex-end' }}>
          <Button color="red" onClick={() => onAnswer(true)}>
            Save anyway
          </Button>
          <Button variant="filled" data-autofocus onClick={() => onAnswer(false)}>
            Keep editing
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

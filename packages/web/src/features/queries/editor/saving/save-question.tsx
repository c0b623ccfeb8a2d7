import { Button } from '@mantine/core';
import type { PreflightGate, Subscription } from '@svc/contract';
import { plural } from '../../../../lib/format.ts';
import { paths } from '../../../../lib/paths.ts';
import { sentence } from '../../../../lib/problem.ts';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { Link } from '../../../../ui/frame/link.tsx';
import classes from './save-question.module.css';

/** Failed checks of a query, and its subscriptions. */
export type NotReady = {
  readonly failed: readonly PreflightGate[];
  /** First page of the subscriptions. */
  readonly subscriptions: readonly Subscription[];
  /** Number of all subscriptions. */
  readonly count: number;
};

type Props = { readonly faults: NotReady; readonly onAnswer: (isSaved: boolean) => void };

/** Confirms the save of a query that would not run, although subscriptions run the query. */
export function SaveQuestion({ faults, onAnswer }: Props) {
  return (
    <Dialog title="This query would not run" onClose={() => onAnswer(false)} size={560}>
      <div className="stack">
        <ul className={classes['list']}>
          {faults.failed.map((gate) => (
            <li key={`${gate.stepOrder} ${gate.isFinalQuery} ${gate.gate}`}>
              {sentence(gate.message)}
              {gate.position && ` Line ${gate.position.line}, column ${gate.position.column}.`} {gate.next}
            </li>
          ))}
        </ul>
        <p>
          {plural(faults.count, 'active subscription')} {faults.count === 1 ? 'runs' : 'run'} it, and would
          fail from the next run on:
        </p>
        <ul className={classes['list']}>
          {faults.subscriptions.map((subscription) => (
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

import type { FirstSteps as FirstStepsTaken } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { readPreference, savePreference } from '../../ui/frame/preference.ts';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './first-steps.module.css';
import { firstSteps } from './requests/home.ts';

const everyMs = 15_000;
const preference = 'first-alert';
const sent = 'sent';

/**
 * Steps from an empty installation to the first alert. They disappear after a subscription of the user's own has sent
 * an alert; records of the demo do not count. The children render only after the state of the steps is known, so that
 * they do not shift.
 */
export function FirstSteps({ children }: { readonly children: ReactNode }) {
  const rights = useRights();
  const [isOver, setOver] = useState(() => readPreference(preference) === sent);
  const isOpen = !isOver && rights.canWrite;
  const live = { enabled: isOpen, refetchInterval: usePollMs(everyMs) };
  const { data, isPending, failureCount } = useQuery({ ...firstSteps, ...live });
  const hasSent = data?.hasSent ?? false;
  useEffect(() => {
    if (!hasSent) return;
    // Later responses may report no delivery, so the browser stores the first one.
    savePreference(preference, sent);
    setOver(true);
  }, [hasSent]);
  const isKnown = !isOpen || !isPending || failureCount > 0;
  return (
    <>
      {isOpen && data && !hasSent && <Steps {...data} />}
      {isKnown && children}
    </>
  );
}

function Steps({ hasDataSource: hasSource, hasProject, hasQuery, subscriptionId }: FirstStepsTaken) {
  const rights = useRights();
  const mayConnect = holds(rights, 'DataSourceAdmin');
  const steps = [
    {
      label: mayConnect
        ? 'Connect a data source, in a project of its own'
        : 'Connect a data source: somebody with the permission DataSourceAdmin does this',
      isDone: hasSource,
      to: paths.dataSources({ new: 'yes' }),
      act: 'Connect a data source',
      may: mayConnect,
    },
    ...(hasSource && !hasProject
      ? [
          {
            label: 'Create a project and link the data source to it',
            isDone: false,
            to: paths.newProject(),
            act: 'New project',
            may: true,
          },
        ]
      : []),
    {
      label: 'Write a query and run it',
      isDone: hasQuery,
      to: paths.newQuery(),
      act: 'New query',
      may: true,
    },
    {
      label: 'Subscribe to it',
      isDone: subscriptionId !== null,
      to: paths.subscriptions({ new: 'yes' }),
      act: 'New subscription',
      may: true,
    },
    {
      label: 'Send the first alert with Test now',
      isDone: false,
      to: subscriptionId === null ? paths.subscriptions() : paths.subscription(subscriptionId),
      act: 'Open the subscription',
      may: true,
    },
  ];
  const present = steps.findIndex((step) => !step.isDone);
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps" className={classes['title']}>
        Get your first alert
      </h2>
      <div className={classes['short']}>
        <LinkButton to={paths.firstAlert()} variant={present === 0 ? 'filled' : 'default'}>
          Get your first alert
        </LinkButton>
        <span className="soft">
          Four questions, from a file or a database to a delivery. Or step by step:
        </span>
      </div>
      <ol className={classes['steps']}>
        {steps.map((step, index) => (
          <li key={step.label} data-done={step.isDone}>
            <span className={classes['mark']}>
              {step.isDone ? <Icon name="check" size={14} /> : <span className="mono">{index + 1}</span>}
            </span>
            <span className="grow">
              {step.label}
              {step.isDone && <span className="visually-hidden"> (done)</span>}
            </span>
            {index === present && step.may && (
              <LinkButton to={step.to} variant={present === 0 ? 'default' : 'filled'}>
                {step.act}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

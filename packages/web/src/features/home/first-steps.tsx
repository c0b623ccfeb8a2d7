import type { FirstSteps as FirstStepsState } from '@svc/contract';
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
import { type FirstStep, stepsOf } from './first-steps-list.ts';
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

function Steps(state: FirstStepsState) {
  const steps = stepsOf(state, holds(useRights(), 'DataSourceAdmin'));
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
          <StepItem
            key={step.label}
            step={step}
            number={index + 1}
            isPresent={index === present}
            isFirst={present === 0}
          />
        ))}
      </ol>
    </section>
  );
}

type ItemProps = {
  readonly step: FirstStep;
  readonly number: number;
  readonly isPresent: boolean;
  /** True while no step is done. The flow for the first alert then has the prominent button. */
  readonly isFirst: boolean;
};

function StepItem({ step, number, isPresent, isFirst }: ItemProps) {
  return (
    <li data-done={step.isDone}>
      <span className={classes['mark']}>
        {step.isDone ? <Icon name="check" size={14} /> : <span className="mono">{number}</span>}
      </span>
      <span className="grow">
        {step.label}
        {step.isDone && <span className="visually-hidden"> (done)</span>}
      </span>
      {isPresent && step.may && (
        <LinkButton to={step.to} variant={isFirst ? 'default' : 'filled'}>
          {step.act}
        </LinkButton>
      )}
    </li>
  );
}

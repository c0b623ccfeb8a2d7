import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './first-steps.module.css';

type Props = {
  readonly hasProject: boolean;
  readonly hasSource: boolean;
  readonly hasQuery: boolean;
  readonly hasSubscription: boolean;
  readonly hasRun: boolean;
};

/** The way from nothing to the first delivery; gone once something has run. */
export function FirstSteps({ hasProject, hasSource, hasQuery, hasSubscription, hasRun }: Props) {
  const rights = useRights();
  if (hasRun || !rights.canWrite) return null;
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
      label: 'Subscribe somebody to it',
      isDone: hasSubscription,
      to: paths.subscriptions({ new: 'yes' }),
      act: 'New subscription',
      may: true,
    },
    {
      label: 'Test the subscription and see what was delivered',
      isDone: hasRun,
      to: paths.subscriptions(),
      act: 'Subscriptions',
      may: true,
    },
  ];
  const present = steps.findIndex((step) => !step.isDone);
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps" className={classes['title']}>
        To the first delivery
      </h2>
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
              <LinkButton to={step.to} variant="filled">
                {step.act}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

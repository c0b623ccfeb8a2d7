import type { SchemaHealth } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './health-panel.module.css';
import { schemaHealth } from './requests/relationships.ts';

type Finding = { readonly count: number; readonly items: readonly string[] };

const findings: readonly {
  readonly of: (health: SchemaHealth) => Finding;
  readonly label: string;
  readonly why: string;
}[] = [
  {
    of: (health) => health.typeMismatches,
    label: 'Types that do not match',
    why: 'The two ends hold different kinds of values: joins convert each row, or fail.',
  },
  {
    of: (health) => health.unindexedForeignKeys,
    label: 'Foreign keys without an index',
    why: 'Deleting a row of the other table reads this one from start to end.',
  },
  {
    of: (health) => health.withoutPrimaryKey,
    label: 'Tables without a primary key',
    why: 'Rows cannot be identified; changes cannot be followed.',
  },
  {
    of: (health) => health.isolatedTables,
    label: 'Isolated tables',
    why: 'No relationship touches them: nothing says how to join them.',
  },
  {
    of: (health) => health.junctionTables,
    label: 'Junction tables',
    why: 'They connect two other tables, many to many.',
  },
];

/** Health of the schema: counts in a line, and lists to expand. */
export function HealthPanel({ dataSourceId }: { readonly dataSourceId: number }) {
  const { data, error } = useQuery(schemaHealth(dataSourceId));
  if (error) return <ProblemNote error={error} />;
  if (!data) return <div className={classes['panel']} aria-busy="true" />;
  return (
    <section className={classes['panel']} aria-label="Schema health">
      <dl className={classes['figures']}>
        <Figure label="Tables" value={data.tableCount} />
        <Figure label="Relationships" value={data.relationshipCount} />
        <Figure label="Verified" value={data.verifiedCount} />
        <Figure label="Groups of tables" value={data.componentCount} />
        <Figure label="Largest group" value={data.largestComponentSize} />
      </dl>
      <div className={classes['findings']}>
        {data.brokenQueries.count > 0 && (
          <details open>
            <summary>
              Broken queries <span className="mono soft">{count(data.brokenQueries.count)}</span>
            </summary>
            <p className="soft">The engine can no longer plan them since the schema changed.</p>
            <ul>
              {data.brokenQueries.items.map(({ id, name, message }) => (
                <li key={id}>
                  <Link to={paths.query(id)}>{name}</Link> <span className="soft">{message}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
        {findings.map(({ of, label, why }) => {
          const group = of(data);
          return (
            group.count > 0 && (
              <details key={label}>
                <summary>
                  {label} <span className="mono soft">{count(group.count)}</span>
                </summary>
                <p className="soft">{why}</p>
                <ul>
                  {group.items.map((item) => (
                    <li key={item}>
                      <code>{item}</code>
                    </li>
                  ))}
                </ul>
                {group.count > group.items.length && (
                  <p className="soft">And {count(group.count - group.items.length)} more.</p>
                )}
              </details>
            )
          );
        })}
      </div>
      <p className="soft">
        {data.refreshedAt === null ? (
          'The tables were not read yet: open the data source once.'
        ) : (
          <>
            Tables read <Time at={data.refreshedAt} />
          </>
        )}
      </p>
    </section>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div>
      <dt className="soft">{label}</dt>
      <dd className="mono">{count(value)}</dd>
    </div>
  );
}

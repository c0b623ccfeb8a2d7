import { Tabs } from '@mantine/core';
import type { AdminApiKey, ApiKey, ApiKeyExplanation, ApiKeyUses } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, dateOnly, plural } from '../../lib/format.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './api-keys-page.module.css';
import { keyExplanation } from './requests/key-explanation.ts';
import { keyUses } from './requests/key-uses.ts';

type Props = {
  readonly apiKey: ApiKey | AdminApiKey;
  readonly isOwn: boolean;
  readonly onClose: () => void;
};

/** Details of a key: its rights, the rule that decides them, and its use. */
export function KeyDialog({ apiKey, isOwn, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title={`Key “${apiKey.name}”`} size={720}>
      <Tabs defaultValue="rights" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="rights">Permissions</Tabs.Tab>
          <Tabs.Tab value="uses">Usage</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rights" pt="md">
          <Rights id={apiKey.id} isOwn={isOwn} />
        </Tabs.Panel>
        <Tabs.Panel value="uses" pt="md">
          <Uses id={apiKey.id} isOwn={isOwn} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

type Part = { readonly id: number; readonly isOwn: boolean };

function Rights({ id, isOwn }: Part) {
  const { data, error } = useQuery(keyExplanation(id, isOwn));
  if (error) return <ProblemView error={error} />;
  if (!data) return <p className="soft">Asking …</p>;
  const projects = data.projects.map(({ projectId, name, right, rule }) => ({
    label: name ?? `Project ${projectId}`,
    value: right === null ? rule : `${right}. ${rule}`,
  }));
  return (
    <div className="stack">
      <Facts
        facts={[
          {
            label: 'Works',
            value: data.works ? (
              <Status tone="green">Yes</Status>
            ) : (
              <>
                <Status tone="red">No</Status> {data.reason}
              </>
            ),
          },
          { label: 'Scopes', value: `${data.scopes.join(', ')}. ${data.scopeRule}` },
        ]}
      />
      <h3>Projects</h3>
      {projects.length === 0 ? <p className="soft">None.</p> : <Facts facts={projects} />}
      <Operations operations={data.operations} />
    </div>
  );
}

function Operations({ operations }: { readonly operations: ApiKeyExplanation['operations'] }) {
  const [showsAll, setShowsAll] = useState(false);
  const allowed = operations.filter(({ isAllowed }) => isAllowed);
  const shown = showsAll ? operations : allowed;
  return (
    <>
      <h3>Operations</h3>
      <label className="row">
        <input
          type="checkbox"
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
        Show also the {operations.length - allowed.length} that it may not use
      </label>
      <ul className={classes['operations']}>
        {shown.map(({ operation, summary, isAllowed, rule }) => (
          <li key={operation}>
            <Status tone={isAllowed ? 'green' : 'neutral'}>{isAllowed ? 'May' : 'May not'}</Status>
            <div>
              <div>{summary}</div>
              <code>{operation}</code>
              <div className="soft">{rule}</div>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Uses({ id, isOwn }: Part) {
  const { data, error } = useQuery(keyUses(id, isOwn));
  if (error) return <ProblemView error={error} />;
  if (!data) return <p className="soft">Asking …</p>;
  if (data.useCount === 0) return <p>It was not used in the last 30 days.</p>;
  return (
    <div className="stack">
      <p>
        {plural(data.useCount, 'request')} in the last 30 days, on {plural(data.days.length, 'day')}; the last
        of these days was {dateOnly(lastDay(data))}.
      </p>
      <table className={classes['uses']}>
        <thead>
          <tr>
            <th scope="col">Route</th>
            <th scope="col">Requests</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {data.operations.map(({ operation, useCount, lastUsedAt }) => (
            <tr key={operation}>
              <td>
                <code>{operation}</code>
              </td>
              <td>{count(useCount)}</td>
              <td>
                <Time at={lastUsedAt} isQuiet />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const lastDay = ({ days }: ApiKeyUses): string => `${days.at(-1)?.day ?? ''}T00:00:00Z`;

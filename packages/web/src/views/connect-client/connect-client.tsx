import { Select } from '@mantine/core';
import { getServerCardOfMcp, listApiKeys } from '@svc/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hosted } from '../../lib/base.ts';
import { paths } from '../../lib/paths.ts';
import { read } from '../../lib/server-state.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Status } from '../../ui/record/status.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Time } from '../../ui/text/time.tsx';
import { clientSnippets } from './client-snippets.ts';
import classes from './connect-client.module.css';

type Props = {
  /** New key: the texts contain it, and the component waits for its first call. */
  readonly newKey?: { readonly id: number; readonly text: string };
  /** Project to connect to: only keys for it are considered. */
  readonly projectId?: number;
};

/** Address from the operator's configuration, which can differ from the address in the browser. */
const serverCard = read(getServerCardOfMcp, {});

/** Instructions for connecting an AI client: address, configuration to copy, and state of its first call. */
export function ConnectClient({ newKey, projectId }: Props) {
  const card = useQuery(serverCard);
  const [client, setClient] = useState<string | null>(null);
  if (card.isLoadingError)
    return <p className="soft">The MCP endpoint is switched off, so that no client can be connected.</p>;
  const url = card.data?.remotes[0]?.url ?? `${location.origin}${hosted('/svc/mcp')}`;
  const snippets = clientSnippets(url, newKey?.text);
  const snippet = snippets.find(({ id }) => id === client) ?? snippets[0];
  return (
    <section className="stack-tight" aria-label="Connect a client">
      <div className="row wrap">
        <code className={classes['address']}>{url}</code>
        <CopyButton value={url} label="Copy address" />
      </div>
      <Select
        label="Client"
        w="100%"
        maw={240}
        data={snippets.map(({ id, client: name }) => ({ value: id, label: name }))}
        value={snippet?.id ?? null}
        allowDeselect={false}
        onChange={setClient}
      />
      {snippet && (
        <>
          <p className="soft">{snippet.place}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by key */}
          <pre className={classes['text']} tabIndex={0} role="document" aria-label="Configuration">
            {snippet.text}
          </pre>
          <div>
            <CopyButton isWide label="Copy configuration" value={snippet.text} />
          </div>
        </>
      )}
      <FirstCall keyId={newKey?.id} projectId={projectId} />
    </section>
  );
}

const lookMs = 3_000;

/** API keys of the user. They are polled until the first call. */
const ownKeys = queryOptions({
  ...read(listApiKeys, { query: { pageSize: '200', sort: '-createdTime' } }),
  refetchInterval: lookMs,
  refetchIntervalInBackground: false,
});

type FirstCallProps = { readonly keyId: number | undefined; readonly projectId: number | undefined };

/** State of the first call of a key: waiting or received. */
function FirstCall({ keyId, projectId }: FirstCallProps) {
  const keys = useQuery(ownKeys);
  if (!keys.data) return null;
  const usableKeys = keys.data.items.filter(({ id, isActive, scopes, allowedProjectIds }) => {
    if (keyId !== undefined) return id === keyId;
    const reaches = projectId === undefined || (allowedProjectIds?.includes(projectId) ?? true);
    return isActive && reaches && scopes.includes('Execute');
  });
  const lastUsed = usableKeys
    .filter(({ lastUsedAt }) => lastUsedAt !== null)
    .toSorted((a, b) => ((a.lastUsedAt ?? '') < (b.lastUsedAt ?? '') ? 1 : -1))[0];
  if (usableKeys.length === 0)
    return (
      <p className="soft">
        A client needs a key with Execute{projectId === undefined ? '' : ' for this project'}.{' '}
        <Link to={paths.apiKeys()}>Make one</Link>
      </p>
    );
  return (
    <p className="row wrap" role="status">
      {lastUsed?.lastUsedAt ? (
        <>
          <Status tone="green">Connected</Status>
          <span className="soft">
            Key “{lastUsed.name}” called <Time at={lastUsed.lastUsedAt} />
          </span>
        </>
      ) : (
        <Status tone="blue">Waiting for the first call</Status>
      )}
    </p>
  );
}

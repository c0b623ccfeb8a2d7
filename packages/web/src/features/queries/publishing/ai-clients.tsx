import { Button } from '@mantine/core';
import type { Query, QueryMcpTool } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { holds } from '../../../access/rights.ts';
import { useRights } from '../../../access/use-rights.ts';
import { paths } from '../../../lib/paths.ts';
import { queryTool } from '../../../requests/queries.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { Bar } from '../../../ui/feedback/skeleton.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import { Facts } from '../../../ui/record/facts.tsx';
import { Sentence } from '../../../ui/record/status.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { issueTexts } from '../../../views/published-queries/issue-texts.ts';
import { PublishDialog } from '../../../views/published-queries/publish-dialog.tsx';
import { TakeBackDialog } from '../../../views/published-queries/take-back-dialog.tsx';
import { usePinNewest } from '../../../views/published-queries/use-pin-newest.ts';
import { versions } from '../requests/versions.ts';
import { OfferedArguments } from './offered-arguments.tsx';

const listedMax = '200';

/** Tool for AI clients that the query provides: version, name and description. */
export function AiClients({ record }: { readonly record: Query }) {
  const tool = useQuery(queryTool(record.id));
  if (tool.isLoadingError) return <ProblemView error={tool.error} onRetry={() => void tool.refetch()} />;
  if (!tool.data)
    return (
      <div aria-busy="true">
        <Bar width="60%" />
      </div>
    );
  return tool.data.isEnabled ? <Published tool={tool.data} /> : <NotPublished tool={tool.data} />;
}

const useMayPublish = () => holds(useRights(), 'SecurityAdmin');

function NotPublished({ tool }: { readonly tool: QueryMcpTool }) {
  const [isOpen, setOpen] = useState(false);
  const mayPublish = useMayPublish();
  const hasDefinition = tool.newestVersionId !== null;
  return (
    <>
      <Empty
        icon="query"
        title="Not published to AI clients"
        action={
          mayPublish && hasDefinition ? (
            <Button variant="filled" onClick={() => setOpen(true)}>
              Publish query
            </Button>
          ) : undefined
        }
      >
        {hasDefinition
          ? `A published query is a tool of its own for AI clients, which run exactly the version that somebody vouched for.${mayPublish ? '' : ' Publishing needs a SecurityAdmin.'}`
          : 'It can be published once somebody has approved what it says.'}
      </Empty>
      {isOpen && <Dialogs tool={tool} open="change" onClose={() => setOpen(false)} />}
    </>
  );
}

function Published({ tool }: { readonly tool: QueryMcpTool }) {
  const mayPublish = useMayPublish();
  const [open, setOpen] = useState<'change' | 'back' | null>(null);
  const { pin, isPinning } = usePinNewest(tool);
  return (
    <>
      {tool.issues.map((issue) => (
        <Sentence key={issue} tone={issue === 'BeyondOffered' ? 'amber' : 'red'}>
          {issueTexts[issue]}
        </Sentence>
      ))}
      {!tool.isNewest && (
        <Sentence tone="blue">
          {`Clients run version ${tool.versionNumber}. The query says something else by now, which is version ${tool.newestVersionNumber}.`}
        </Sentence>
      )}
      {mayPublish && (
        <div className="row wrap">
          {pin && (
            <Button variant="filled" loading={isPinning} onClick={pin}>
              {`Publish version ${tool.newestVersionNumber}`}
            </Button>
          )}
          <Button onClick={() => setOpen('change')}>Change</Button>
          <Button onClick={() => setOpen('back')}>Unpublish</Button>
        </div>
      )}
      <Facts facts={factsOf(tool)} />
      {tool.offer && (
        <section className="stack-tight">
          <h2>What clients see</h2>
          <p>{tool.offer.description}</p>
          <OfferedArguments schema={tool.offer.inputSchema} />
        </section>
      )}
      {open && <Dialogs tool={tool} open={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const factsOf = (tool: QueryMcpTool) => [
  {
    label: 'Tool',
    value: (
      <span className="row">
        <span className="mono">{tool.toolName}</span>
        <CopyButton value={tool.toolName ?? ''} label="Copy the name of the tool" />
      </span>
    ),
  },
  {
    label: 'Version',
    value:
      tool.versionId === null ? null : (
        <>
          <Link to={paths.queryVersion(tool.queryId, tool.versionId)}>{`${tool.versionNumber}`}</Link>
          {tool.isNewest && <span className="soft">, what the query says now</span>}
        </>
      ),
  },
  {
    label: 'A later version',
    value: tool.isFollowing ? 'takes its place once it is approved' : 'is published by a SecurityAdmin',
  },
  {
    label: 'Published',
    value:
      tool.publishedAt === null ? null : (
        <>
          <Time at={tool.publishedAt} /> by {tool.publishedByUserName ?? 'the service'}
        </>
      ),
  },
];

function Dialogs({
  tool,
  open,
  onClose,
}: {
  readonly tool: QueryMcpTool;
  readonly open: 'change' | 'back';
  readonly onClose: () => void;
}) {
  const list = useQuery(versions(tool.queryId, { pageSize: listedMax }));
  return open === 'back' ? (
    <TakeBackDialog tool={tool} onClose={onClose} />
  ) : (
    <PublishDialog tool={tool} versions={list.data?.items} onClose={onClose} />
  );
}

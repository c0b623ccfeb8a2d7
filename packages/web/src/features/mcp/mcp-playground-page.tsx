import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { type McpTool, type McpToolResult, runMcpTool } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { findProjects, project, projects } from '../../requests/projects.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { FoundSelect } from '../../ui/form/found-select.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { ConnectClient } from '../../views/connect-client/connect-client.tsx';
import { type ResultColumn, rowsOf } from '../../views/results/cells.ts';
import { ResultGrid } from '../../views/results/later-grid.tsx';
import { callsMax, costOf, LastCalls, type PlaygroundCall } from './last-calls.tsx';
import classes from './mcp-playground-page.module.css';
import { mcpTools } from './requests/tools.ts';
import { argumentValues, toolArguments } from './tool-arguments.ts';

/** Page that calls the tools of AI clients with the user's own rights. Each call is audited like a call of a client. */
export function McpPlaygroundPage() {
  const [address, change] = useAddress();
  const first = useQuery(projects({ pageSize: '1', sort: 'name' }));
  const projectId = /^\d{1,9}$/.test(address['project'] ?? '') ? Number(address['project']) : null;
  const named = useQuery({ ...project(projectId ?? 0), enabled: projectId !== null });
  const selectedProject = projectId === null ? (first.data?.items[0] ?? null) : (named.data ?? null);
  const refused = first.isLoadingError ? first : named.isLoadingError ? named : null;
  return (
    <>
      <PageHeader title="MCP playground" hasHelp />
      {refused && <ProblemView error={refused.error} onRetry={() => void refused.refetch()} />}
      <div className="stack" style={{ gap: 16 }}>
        <p className="soft">
          What an AI client gets from a tool in a project: the same caps, the same masking, the same audit.
        </p>
        <FoundSelect
          label="Project"
          w="100%"
          maw={320}
          find={findProjects}
          value={selectedProject}
          allowDeselect={false}
          onChange={(picked) => change({ project: picked ? String(picked.id) : undefined, tool: undefined })}
        />
        {first.data?.totalCount === 0 && (
          <p>You read no project yet. Create one, or ask to be added to one.</p>
        )}
        {selectedProject && <Tools key={selectedProject.id} projectId={selectedProject.id} />}
      </div>
    </>
  );
}

function Tools({ projectId }: { readonly projectId: number }) {
  const [{ tool }, change] = useAddress();
  const [calls, setCalls] = useState<readonly PlaygroundCall[]>([]);
  const list = useQuery(mcpTools(projectId));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const items = list.data?.items ?? [];
  const selected = items.find(({ name }) => name === tool) ?? items[0];
  if (!selected) return null;
  return (
    <>
      <Select
        label="Tool"
        w="100%"
        maw={320}
        data={items.map(({ name, title, isEnabled }) => ({
          value: name,
          label: isEnabled ? title : `${title} (switched off)`,
        }))}
        value={selected.name}
        allowDeselect={false}
        onChange={(value) => change({ tool: value ?? undefined })}
      />
      <ToolForm
        key={selected.name}
        tool={selected}
        projectId={projectId}
        onCalled={(call) => setCalls((before) => [call, ...before].slice(0, callsMax))}
      />
      <LastCalls calls={calls} />
      <section className="stack-tight">
        <h2>Connect a client</h2>
        <ConnectClient projectId={projectId} />
      </section>
    </>
  );
}

type ToolFormProps = {
  readonly tool: McpTool;
  readonly projectId: number;
  readonly onCalled: (call: PlaygroundCall) => void;
};

function ToolForm({ tool, projectId, onCalled }: ToolFormProps) {
  const run = useChange(runMcpTool, { touches: [] });
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [fault, setFault] = useState<string | null>(null);
  const inputs = toolArguments(tool.inputSchema, tool.name);
  const isMissing = inputs.some(({ name, isRequired }) => isRequired && !texts[name]?.trim());
  const submit = (event?: React.FormEvent) => {
    event?.preventDefault();
    if (isMissing || run.isPending) return;
    try {
      const values = argumentValues(inputs, texts);
      setFault(null);
      run.mutate(
        { body: { toolName: tool.name, projectId, arguments: values } },
        { onSuccess: (result) => onCalled({ title: tool.title, at: new Date().toISOString(), result }) },
      );
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="stack">
      <p style={{ maxWidth: 720 }}>{tool.description}</p>
      <form className="stack" style={{ maxWidth: 720 }} onSubmit={submit} noValidate>
        {inputs.map(({ name, description, isRequired, kind }) => {
          const shared = {
            label: name,
            description,
            required: isRequired,
            value: texts[name] ?? '',
            onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
              setTexts({ ...texts, [name]: event.currentTarget.value }),
          };
          return kind === 'Lines' || kind === 'Json' ? (
            <Textarea
              key={name}
              {...shared}
              autosize
              minRows={kind === 'Lines' ? 4 : 2}
              maxRows={16}
              classNames={{ input: 'mono' }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
              }}
            />
          ) : (
            <TextInput key={name} {...shared} inputMode={kind === 'Number' ? 'numeric' : 'text'} />
          );
        })}
        {fault !== null && <p role="alert">{fault}</p>}
        <ProblemNote error={run.error} />
        <div>
          <Button
            type="submit"
            variant="filled"
            loading={run.isPending}
            disabled={isMissing}
            leftSection={<Icon name="run" />}
          >
            Call tool
          </Button>
        </div>
      </form>
      {run.data && <ToolResult result={run.data} />}
    </div>
  );
}

function ToolResult({ result }: { readonly result: McpToolResult }) {
  const { structuredContent: structured } = result;
  const columns = structured?.['columns'];
  const rows = structured?.['rows'];
  const hasRows = Array.isArray(columns) && Array.isArray(rows);
  const sections = [
    ...(hasRows
      ? [
          {
            id: 'rows',
            label: 'Rows',
            count: rows.length,
            content: (
              <ResultGrid
                label="Rows of the answer"
                columns={columns.map((column) => ({ databaseType: '', ...column }) as ResultColumn)}
                rows={rowsOf({ rows })}
                part={
                  structured?.['isTruncated'] === true ? `the first ${plural(rows.length, 'row')}` : undefined
                }
              />
            ),
          },
        ]
      : []),
    {
      id: 'text',
      label: 'What a model reads',
      content: (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by key
        <section aria-label="Text of the answer" tabIndex={0} className={classes['text']}>
          {result.text}
        </section>
      ),
    },
  ];
  return (
    <section className="stack-tight" aria-label="Answer">
      <p className="row" role="status">
        <Status tone={result.isError ? 'red' : 'green'}>{result.isError ? 'Refused' : 'Answered'}</Status>
        <span className="soft">{costOf(result)}</span>
      </p>
      <Detail sections={sections} />
    </section>
  );
}

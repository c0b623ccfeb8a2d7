import { Button, Checkbox, Menu } from '@mantine/core';
import { generateDocumentation, type Project } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../../lib/server-state.ts';
import { llmStatus } from '../../../requests/llm.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { toastProblem } from '../../../ui/feedback/toast.tsx';
import { useDownload } from '../../../ui/feedback/use-download.ts';
import { Time } from '../../../ui/text/time.tsx';
import { documentation, downloadDocumentation } from '../requests/documentation.ts';
import { Generation } from './documentation-generation.tsx';
import { DocumentationSectionView } from './documentation-section.tsx';
import { DocumentationVersions } from './documentation-versions.tsx';

type Props = { readonly project: Project; readonly canWrite: boolean };

/** Documentation of the project, section by section. */
export function ProjectDocumentation({ project, canWrite }: Props) {
  const current = useQuery(documentation(project.id));
  if (current.isLoadingError)
    return <ProblemView error={current.error} onRetry={() => void current.refetch()} />;
  if (!current.data) return <div aria-busy="true" />;
  const { generatedAt, generation, sections } = current.data;
  const progress = generation && (
    <Generation projectId={project.id} generation={generation} canWrite={canWrite} />
  );
  const begin = canWrite && generation?.finishedAt !== null && (
    <Begin projectId={project.id} isFirst={sections.length === 0} />
  );
  if (sections.length === 0)
    return (
      <div className="stack">
        {progress}
        <Empty icon="audit" title="No documentation yet" action={begin || undefined}>
          It is written from what is known here: tables and their relationships, queries and their recipients,
          code that uses the tables, data contracts. You can edit each section; your text is never
          overwritten.
        </Empty>
      </div>
    );
  return (
    <div className="stack">
      <div className="row wrap">
        {begin}
        <Download project={project} />
        {generatedAt !== null && (
          <span className="soft">
            Brought up to date <Time at={generatedAt} />
          </span>
        )}
      </div>
      {progress}
      {sections.map((section) => (
        <DocumentationSectionView
          key={section.kind}
          projectId={project.id}
          section={section}
          canWrite={canWrite}
        />
      ))}
      <DocumentationVersions key={generation?.finishedAt} projectId={project.id} />
    </div>
  );
}

/** Starts a generation, with a model if one is available. */
function Begin({ projectId, isFirst }: { readonly projectId: number; readonly isFirst: boolean }) {
  const { data: status } = useQuery(llmStatus);
  const [isModelWanted, setModelWanted] = useState(true);
  const generate = useChange(generateDocumentation);
  const isModelThere = status !== undefined && status.state !== 'NotConfigured';
  const model = isModelThere && isModelWanted;
  return (
    <div className="row wrap">
      <Button
        loading={generate.isPending}
        onClick={() =>
          void generate.mutateAsync({ params: { id: projectId }, query: { model } }).catch(toastProblem)
        }
      >
        {isFirst ? 'Write documentation' : 'Bring up to date'}
      </Button>
      {isModelThere && (
        <Checkbox
          label="The language model says what tables hold"
          checked={isModelWanted}
          onChange={(event) => setModelWanted(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

function Download({ project }: Pick<Props, 'project'>) {
  const download = useDownload(downloadDocumentation);
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={download.bytes !== undefined}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['Markdown', 'Html'] as const).map((format) => (
          <Menu.Item
            key={format}
            onClick={() => download.start({ id: project.id, format, name: project.name })}
          >
            {format === 'Html' ? 'HTML' : format}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

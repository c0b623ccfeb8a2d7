import { Button, Menu } from '@mantine/core';
import {
  type DocumentationSection,
  dismissDocumentationProposal,
  generateDocumentation,
  type Project,
  writeDocumentation,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { useDownload } from '../../ui/feedback/use-download.ts';
import { TextAreaField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { Sentence } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './project-documentation.module.css';
import { documentation, downloadDocumentation } from './requests/documentation.ts';

/** While a generation runs its end is looked for. */
const lookAgainMs = 1_000;
const markdownCode = later(async () => (await import('../../ui/text/markdown.tsx')).Markdown);

/** What the project is about, section by section. */
export function ProjectDocumentation({
  project,
  canWrite,
}: {
  readonly project: Project;
  readonly canWrite: boolean;
}) {
  /** When the text was made that stood here as a generation was asked for; undefined: none is. */
  const [waitsAfter, setWaitsAfter] = useState<string | null>();
  const found = useQuery({
    ...documentation(project.id),
    refetchInterval: ({ state }) =>
      waitsAfter !== undefined && state.data?.generatedAt === waitsAfter ? lookAgainMs : false,
  });
  const generate = useChange(generateDocumentation);
  const download = useDownload(downloadDocumentation);
  if (found.isLoadingError) return <ProblemView error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <div aria-busy="true" />;
  const { generatedAt, sections } = found.data;
  const isWaiting = waitsAfter !== undefined && waitsAfter === generatedAt;
  const begin = () => {
    setWaitsAfter(generatedAt);
    generate.mutateAsync({ params: { id: project.id } }).catch((error: unknown) => {
      setWaitsAfter(undefined);
      toastProblem(error);
    });
  };
  const button = canWrite && (
    <Button loading={isWaiting} onClick={begin}>
      {sections.length === 0 ? 'Write documentation' : 'Bring up to date'}
    </Button>
  );
  if (sections.length === 0)
    return (
      <Empty icon="audit" title="No documentation yet" action={button || undefined}>
        It is written from what is known here: tables and how they hang together, queries and who is told,
        code that uses the tables, data contracts. You can edit each section; your text is never overwritten.
      </Empty>
    );
  return (
    <div className="stack">
      <div className="row wrap">
        {button}
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
        {generatedAt !== null && (
          <span className="soft">
            Brought up to date <Time at={generatedAt} />
          </span>
        )}
      </div>
      {sections.map((section) => (
        <Section key={section.kind} projectId={project.id} section={section} canWrite={canWrite} />
      ))}
    </div>
  );
}

type SectionProps = {
  readonly projectId: number;
  readonly section: DocumentationSection;
  readonly canWrite: boolean;
};

function Section({ projectId, section, canWrite }: SectionProps) {
  const [isEditing, setEditing] = useState(false);
  const { kind, title, content, editedByUserName, editedAt } = section;
  return (
    <section className="stack-tight" aria-label={title}>
      <div className="row wrap">
        <h2>{title}</h2>
        {editedAt !== null && (
          <span className="soft">
            Written by {editedByUserName ?? 'a program'} <Time at={editedAt} />
          </span>
        )}
        {canWrite && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setEditing(true)}
            aria-label={`Edit ${title}`}
          >
            Edit
          </Button>
        )}
      </div>
      {section.proposedContent !== null && canWrite && (
        <Proposal projectId={projectId} section={section} proposed={section.proposedContent} />
      )}
      <Text text={content} />
      {isEditing && (
        <EditDialog key={kind} projectId={projectId} section={section} onClose={() => setEditing(false)} />
      )}
    </section>
  );
}

function Text({ text }: { readonly text: string }) {
  const [attempt, setAttempt] = useState(0);
  return (
    <LazyPart
      key={attempt}
      code={markdownCode}
      fallback={<pre>{text}</pre>}
      onMissing={() => setAttempt(attempt)}
    >
      {(Markdown) => <Markdown text={text} />}
    </LazyPart>
  );
}

/** What was generated since a person wrote the section. */
function Proposal({
  projectId,
  section,
  proposed,
}: Omit<SectionProps, 'canWrite'> & { readonly proposed: string }) {
  const headers = () => ifUnchanged(section.version);
  const write = useChange(writeDocumentation, { headers });
  const dismiss = useChange(dismissDocumentationProposal, { headers });
  const params = { id: projectId, kind: section.kind };
  return (
    <div className={`panel stack-tight ${classes['proposal']}`}>
      <Sentence tone="blue">Records say something else than this text by now.</Sentence>
      <details>
        <summary>Show the new text</summary>
        <Text text={proposed} />
      </details>
      <div className="row wrap">
        <Button
          loading={write.isPending}
          onClick={() => void write.mutateAsync({ params, body: { content: proposed } }).catch(toastProblem)}
        >
          Take the new text
        </Button>
        <Button
          variant="default"
          loading={dismiss.isPending}
          onClick={() => void dismiss.mutateAsync({ params }).catch(toastProblem)}
        >
          Keep this text
        </Button>
      </div>
    </div>
  );
}

function EditDialog({
  projectId,
  section,
  onClose,
}: Omit<SectionProps, 'canWrite'> & { readonly onClose: () => void }) {
  const write = useChange(writeDocumentation, { headers: () => ifUnchanged(section.version) });
  const form = useForm({
    schema: writeDocumentation.body,
    initial: { content: section.content },
    toBody: ({ content }) => ({ content }),
    send: async (body) => {
      await write.mutateAsync({ params: { id: projectId, kind: section.kind }, body });
      toastDone('The section was saved. What is generated later waits beside it.');
      onClose();
    },
  });
  return (
    <FormDialog title={`Edit “${section.title}”`} form={form} act="Save" onClose={onClose} size={880}>
      <TextAreaField
        form={form}
        name="content"
        label="Text"
        description="Markdown; HTML is shown as text."
        minRows={12}
        maxRows={24}
        data-autofocus
      />
    </FormDialog>
  );
}

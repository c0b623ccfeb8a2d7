import { Button, TextInput } from '@mantine/core';
import {
  type DocumentationSection,
  dismissDocumentationProposal,
  instructDocumentation,
  WriteDocumentationBody,
  writeDocumentation,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from '../../../lib/form.ts';
import { takenInWords } from '../../../lib/format.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { llmStatus } from '../../../requests/llm.ts';
import { LazyPart, later } from '../../../ui/feedback/lazy-part.tsx';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { TextAreaField } from '../../../ui/form/fields.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { Sentence } from '../../../ui/record/status.tsx';
import { Time } from '../../../ui/text/time.tsx';
import classes from './project-documentation.module.css';

const markdownCode = later(async () => (await import('../../../ui/text/markdown.tsx')).Markdown);
const difference = later(
  async () => (await import('../../../views/query-definition/line-difference.tsx')).LineDifference,
);

type SectionProps = {
  readonly projectId: number;
  readonly section: DocumentationSection;
  readonly canWrite: boolean;
};

/** Section of the documentation: author, pending proposal, and text. */
export function DocumentationSectionView({ projectId, section, canWrite }: SectionProps) {
  const [isEditing, setEditing] = useState(false);
  const { kind, title, content } = section;
  return (
    <section className="stack-tight" aria-label={title}>
      <div className="row wrap">
        <h2>{title}</h2>
        <span className="soft">
          <Author section={section} />
        </span>
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

function Author({ section: { provenance, editedByUserName, editedAt } }: Pick<SectionProps, 'section'>) {
  if (provenance === 'Person' && editedAt !== null)
    return (
      <>
        Written by {editedByUserName ?? 'a program'} <Time at={editedAt} />
      </>
    );
  return provenance === 'Model' ? 'From records, with words of a language model' : 'From records';
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

/** Text that was generated after a person had written the section. */
function Proposal({
  projectId,
  section,
  proposed,
}: Omit<SectionProps, 'canWrite'> & { readonly proposed: string }) {
  const headers = () => ifUnchanged(section.version);
  const write = useChange(writeDocumentation, { headers });
  const dismiss = useChange(dismissDocumentationProposal, { headers });
  const [isOpen, setOpen] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const params = { id: projectId, kind: section.kind };
  const by = section.proposedProvenance === 'Model' ? 'Records and the language model say' : 'Records say';
  return (
    <div className={`panel stack-tight ${classes['proposal']}`}>
      <Sentence tone="blue">{`${by} something else than this text by now.`}</Sentence>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Show the difference</summary>
        {isOpen && (
          <LazyPart
            key={attempt}
            code={difference}
            fallback={<pre>{proposed}</pre>}
            onMissing={() => setAttempt(attempt + 1)}
          >
            {(Difference) => (
              <Difference
                language="Text"
                before={{ label: 'This text', text: section.content }}
                after={{ label: 'The new text', text: proposed }}
              />
            )}
          </LazyPart>
        )}
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
  const write = useChange(writeDocumentation, { headers: () => ifUnchanged(form.version) });
  const form = useForm({
    schema: WriteDocumentationBody,
    version: section.version,
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
      <Rewrite
        projectId={projectId}
        kind={section.kind}
        content={form.values.content}
        onRewritten={(content) => form.set('content', content)}
      />
    </FormDialog>
  );
}

/** Lets a model rewrite the text in the field. The editor decides whether to save it. */
function Rewrite({
  projectId,
  kind,
  content,
  onRewritten,
}: {
  readonly projectId: number;
  readonly kind: DocumentationSection['kind'];
  readonly content: string;
  readonly onRewritten: (content: string) => void;
}) {
  const { data: status } = useQuery(llmStatus);
  const rewrite = useChange(instructDocumentation);
  const [instruction, setInstruction] = useState('');
  if (status === undefined || status.state === 'NotConfigured') return null;
  const ask = async () => {
    const body = { instruction, content };
    const answer = await rewrite.mutateAsync({ params: { id: projectId, kind }, body });
    onRewritten(answer.content);
  };
  return (
    <div className="stack-tight">
      <div className="row wrap" style={{ alignItems: 'flex-end' }}>
        <TextInput
          className="grow"
          label="Have the language model rewrite it"
          placeholder="Such as: shorter, and explain the status codes"
          maxLength={2_000}
          value={instruction}
          onChange={(event) => setInstruction(event.currentTarget.value)}
        />
        <Button
          loading={rewrite.isPending}
          disabled={instruction.trim() === ''}
          onClick={() => void ask().catch(() => undefined)}
        >
          Rewrite
        </Button>
      </div>
      <ProblemNote error={rewrite.error} />
      {rewrite.data && (
        <p className="soft" role="status">
          Rewritten with {takenInWords(rewrite.data)}. Read it, then save it.
        </p>
      )}
    </div>
  );
}

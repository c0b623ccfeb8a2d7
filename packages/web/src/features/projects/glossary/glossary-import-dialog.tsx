import { Button, Textarea } from '@mantine/core';
import { type GlossaryImport, glossaryColumns, ImportGlossaryBody, importGlossary } from '@svc/contract';
import { useState } from 'react';
import { useForm } from '../../../lib/form.ts';
import { plural } from '../../../lib/format.ts';
import { useChange } from '../../../lib/server-state.ts';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { FilePicker } from '../../../ui/form/file-picker.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { Sentence } from '../../../ui/record/status.tsx';

const refusedShown = 20;

/** Imports glossary terms from a CSV document. Shows the result before it saves the terms. */
export function GlossaryImportDialog({
  projectId,
  onClose,
}: {
  readonly projectId: number;
  readonly onClose: () => void;
}) {
  const send = useChange(importGlossary);
  const [seen, setSeen] = useState<{ readonly of: string; readonly found: GlossaryImport } | null>(null);
  const form = useForm({
    schema: ImportGlossaryBody,
    initial: { document: '' },
    toBody: ({ document }) => ({ projectId, document }),
    send: async (body) => {
      if (seen === null || seen.of !== body.document || seen.found.refused.length > 0)
        return setSeen({
          of: body.document,
          found: await send.mutateAsync({ body: { ...body, dryRun: true } }),
        });
      toastDone(`${inWords(await send.mutateAsync({ body }))}.`);
      onClose();
    },
  });
  const { document } = form.values;
  const shown = seen?.of === document ? seen.found : null;
  const changes = shown ? shown.createdCount + shown.changedCount : 0;
  return (
    <FormDialog
      title="Import terms"
      form={form}
      act={shown?.refused.length === 0 ? `Import ${plural(changes, 'term')}` : 'Review'}
      onClose={onClose}
      size={720}
    >
      <p className="soft">
        CSV with a heading, as an export has it: {glossaryColumns.join(', ')}. Terms that the project has are
        changed, the others added; none is deleted.
      </p>
      <Textarea
        label="Document"
        placeholder={'term,synonyms,definition\nRevenue,Turnover; Sales,What customers paid.'}
        minRows={6}
        maxRows={12}
        autosize
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
        value={document}
        error={form.errorOf('document')}
        onChange={(event) => form.set('document', event.currentTarget.value)}
      />
      <div>
        <FilePicker
          accept=".csv,.txt"
          onPick={(file) => void file.text().then((text) => form.set('document', text))}
        >
          {(props) => <Button {...props}>Read a file</Button>}
        </FilePicker>
      </div>
      {shown && <Found found={shown} />}
    </FormDialog>
  );
}

const inWords = ({ createdCount, changedCount, unchangedCount }: GlossaryImport): string =>
  `${plural(createdCount, 'term')} added, ${changedCount} changed, ${unchangedCount} as before`;

const Found = ({ found: result }: { readonly found: GlossaryImport }) => (
  <section aria-label="Result" className="stack-tight">
    <p>{inWords(result)}</p>
    {result.refused.length > 0 && (
      <>
        <Sentence tone="red">
          {`${plural(result.refused.length, 'record')} cannot be saved. Fix them, then look again.`}
        </Sentence>
        <ul>
          {result.refused.slice(0, refusedShown).map(({ line, column, message }) => (
            <li key={`${line} ${column}`}>
              Line {line}
              {column !== null && (
                <>
                  , <code>{column}</code>
                </>
              )}
              : {message}
            </li>
          ))}
        </ul>
        {result.refused.length > refusedShown && <p>The first {refusedShown} are shown.</p>}
      </>
    )}
  </section>
);

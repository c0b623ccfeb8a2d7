import { Button } from '@mantine/core';
import { type DocumentImport, documentBytesMax, importDocumentsNow } from '@svc/contract';
import { useState } from 'react';
import { size } from '../../../lib/format.ts';
import { useChange } from '../../../lib/server-state.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { FilePicker } from '../../../ui/form/file-picker.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { importInWords } from './import-words.ts';
import { TooLarge } from './too-large.tsx';
import { documentEndings, useSendDocument } from './use-send-document.ts';

/** Uploads a document, and starts the import of the operator's folders. */
export function DocumentActions({ projectId }: { readonly projectId: number }) {
  const { error, isSending, tooLarge, upload } = useSendDocument(projectId);
  const importing = useChange(importDocumentsNow);
  const [result, setResult] = useState<DocumentImport>();
  const start = () => {
    setResult(undefined);
    importing.mutateAsync({ params: { id: projectId } }).then(setResult, () => undefined);
  };
  return (
    <div className="stack-tight" style={{ marginBottom: 12 }}>
      <ProblemNote error={error ?? importing.error} />
      <div className="row wrap">
        <FilePicker onPick={upload} accept={documentEndings}>
          {(props) => (
            <Button {...props} leftSection={<Icon name="plus" />} loading={isSending}>
              Upload a document
            </Button>
          )}
        </FilePicker>
        <Button loading={importing.isPending} onClick={start}>
          Import folders now
        </Button>
        {tooLarge ? (
          <TooLarge file={tooLarge} />
        ) : (
          <span className="soft">Markdown, text or HTML, up to {size(documentBytesMax)}.</span>
        )}
      </div>
      {result && <ImportResult result={result} />}
    </div>
  );
}

/** Result of each source, with its omitted documents. */
function ImportResult({ result }: { readonly result: DocumentImport }) {
  return (
    <div role="status">
      {result.sources.map((source) => (
        <p key={source.source}>{importInWords(source)}</p>
      ))}
    </div>
  );
}

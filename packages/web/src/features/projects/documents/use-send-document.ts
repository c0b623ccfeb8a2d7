import { documentBytesMax, replaceImportedDocument, uploadImportedDocument } from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callWithFile } from '../../../lib/call.ts';

export const documentEndings = '.md,.markdown,.txt,.html,.htm';

/** Sends files as documents of a project. A file above the size limit is not sent. */
export function useSendDocument(projectId: number) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [tooLarge, setTooLarge] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);

  const send = (
    file: File | null,
    request: (file: File) => Promise<unknown>,
    onSent: () => void = () => undefined,
  ): void => {
    if (file === null) return;
    setError(null);
    const isTooLarge = file.size > documentBytesMax;
    setTooLarge(isTooLarge ? file : null);
    if (isTooLarge) return;
    setSending(true);
    void request(file)
      .then(async () => {
        onSent();
        await client.invalidateQueries({ queryKey: [uploadImportedDocument.tag] });
      })
      .catch(setError)
      .finally(() => setSending(false));
  };

  return {
    error,
    tooLarge,
    isSending,
    upload: (file: File | null) =>
      send(file, (sent) =>
        callWithFile(uploadImportedDocument, { params: { id: projectId }, query: { name: sent.name } }, sent),
      ),
    replace: (documentId: number, file: File | null, onSent: () => void) =>
      send(
        file,
        (sent) => callWithFile(replaceImportedDocument, { params: { id: projectId, documentId } }, sent),
        onSent,
      ),
  };
}

import { ActionIcon, Button, Menu } from '@mantine/core';
import { deleteImportedDocument, type ImportedDocumentItem } from '@svc/contract';
import { useState } from 'react';
import { useChange } from '../../../lib/server-state.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FilePicker } from '../../../ui/form/file-picker.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { TooLarge } from './too-large.tsx';
import { documentEndings, useSendDocument } from './use-send-document.ts';

type Props = { readonly projectId: number; readonly record: ImportedDocumentItem };

/** Replaces or removes an uploaded document. */
export function DocumentMenu({ projectId, record }: Props) {
  const [dialog, setDialog] = useState<'replace' | 'remove' | null>(null);
  const remove = useChange(deleteImportedDocument);
  const close = () => setDialog(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" aria-label={`Actions for ${record.title}`}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('replace')}>Replace</Menu.Item>
          <Menu.Item color="red" onClick={() => setDialog('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'replace' && <ReplaceDialog projectId={projectId} record={record} onClose={close} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title="Remove the document?"
          act="Remove document"
          onConfirm={() => remove.mutateAsync({ params: { id: projectId, documentId: record.id } })}
          onClose={close}
        >
          {record.path} and its text are deleted. To have it again, upload the file.
        </ConfirmDialog>
      )}
    </>
  );
}

function ReplaceDialog({ projectId, record, onClose }: Props & { readonly onClose: () => void }) {
  const { error, isSending, replace, tooLarge } = useSendDocument(projectId);
  return (
    <Dialog title={`Replace ${record.title}`} size={440} onClose={onClose}>
      <div className="stack">
        <ProblemNote error={error} />
        {tooLarge && <TooLarge file={tooLarge} />}
        <p>The document retains its name {record.path}. Its text becomes that of the file.</p>
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="subtle" onClick={onClose}>
            Close
          </Button>
          <FilePicker accept={documentEndings} onPick={(file) => replace(record.id, file, onClose)}>
            {(props) => (
              <Button {...props} variant="filled" loading={isSending}>
                Choose a file
              </Button>
            )}
          </FilePicker>
        </div>
      </div>
    </Dialog>
  );
}

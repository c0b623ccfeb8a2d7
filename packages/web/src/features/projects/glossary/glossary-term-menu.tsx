import { ActionIcon, Menu } from '@mantine/core';
import { deleteGlossaryTerm, type GlossaryTerm, replaceGlossaryTerm } from '@svc/contract';
import { useState } from 'react';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { toastProblem } from '../../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { GlossaryTermDialog } from './glossary-term-dialog.tsx';

export function GlossaryTermMenu({ record }: { readonly record: GlossaryTerm }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const options = { headers: () => ifUnchanged(record.version) };
  const replace = useChange(replaceGlossaryTerm, options);
  const remove = useChange(deleteGlossaryTerm, options);
  const params = { id: record.id };
  const turn = () => {
    const { dataSourceId, term, synonyms, definition, target, metricExpression } = record;
    const content = { dataSourceId, term, synonyms, definition, target, metricExpression };
    const body = { ...content, isActive: !record.isActive };
    void replace.mutateAsync({ params, body }).catch(toastProblem);
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${record.term}`} size={28}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item onClick={turn}>{record.isActive ? 'Switch off' : 'Switch on'}</Menu.Item>
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && (
        <GlossaryTermDialog projectId={record.projectId} record={record} onClose={() => setOpen(null)} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete “${record.term}”?`}
          act="Delete term"
          onConfirm={() => remove.mutateAsync({ params })}
          onClose={() => setOpen(null)}
        >
          AI clients and people no longer see what it means. Switch it off to keep it.
        </ConfirmDialog>
      )}
    </>
  );
}

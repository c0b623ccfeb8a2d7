import { Button, Textarea } from '@mantine/core';
import { ImportDataContractsBody, importDataContracts, type OdcsImport } from '@svc/contract';
import { useState } from 'react';
import { useForm } from '../../../lib/form.ts';
import { plural } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { findProjects, linkedSources } from '../../../requests/projects.ts';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { FilePicker } from '../../../ui/form/file-picker.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { FoundSelect, type Named } from '../../../ui/form/found-select.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { Found } from './found.tsx';

type Values = {
  readonly document: string;
  readonly projectId: Named | null;
  readonly dataSourceId: Named | null;
};

const empty: Values = { document: '', projectId: null, dataSourceId: null };

/** Creates data contracts from an ODCS document. Shows the result before it saves them. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const go = useGo();
  const look = useChange(importDataContracts);
  const [seen, setSeen] = useState<{ readonly of: string; readonly found: OdcsImport } | null>(null);
  const form = useForm({
    schema: ImportDataContractsBody,
    initial: empty,
    toBody: ({ document, projectId, dataSourceId }) => ({
      document,
      ...(projectId && { projectId: projectId.id }),
      ...(dataSourceId && { dataSourceId: dataSourceId.id }),
    }),
    send: async (body) => {
      const isSeen = seen?.of === JSON.stringify(body);
      const result = await look.mutateAsync({ body: { ...body, dryRun: !isSeen } });
      if (!isSeen) return setSeen({ of: JSON.stringify(body), found: result });
      toastDone(`${plural(result.contracts.length, 'data contract')} imported.`);
      onClose();
      const [only] = result.contracts;
      if (result.contracts.length === 1 && only?.id != null) go(paths.contract(only.id), { isSaved: true });
    },
  });
  const { document, projectId, dataSourceId } = form.values;
  const present = JSON.stringify({
    document,
    projectId: projectId?.id,
    dataSourceId: dataSourceId?.id,
  });
  const shown = seen?.of === present ? seen.found : null;
  const readFile = async (file: File | null) => {
    if (file) form.set('document', await file.text());
  };
  return (
    <FormDialog
      title="Import data contracts"
      form={form}
      act={shown ? `Import ${plural(shown.contracts.length, 'data contract')}` : 'Review'}
      onClose={onClose}
      size={720}
    >
      <p className="soft">
        An Open Data Contract Standard document, version 3.0 or 3.1. You review it before anything is created.
      </p>
      <FoundSelect
        label="Project"
        placeholder="Choose a project"
        find={findProjects}
        admits={({ right }) => right !== 'Read'}
        value={projectId}
        error={form.errorOf('projectId')}
        onChange={(picked) => {
          form.set('projectId', picked);
          form.set('dataSourceId', null);
        }}
      />
      {projectId !== null && (
        <FoundSelect
          key={projectId.id}
          label="Data source"
          placeholder="Choose a data source"
          find={(search, pageSize) =>
            linkedSources(projectId.id, { pageSize, ...(search !== '' && { search }) })
          }
          value={dataSourceId}
          error={form.errorOf('dataSourceId')}
          onChange={(picked) => form.set('dataSourceId', picked)}
        />
      )}
      <Textarea
        label="Document"
        placeholder="apiVersion: v3.1.0"
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
        <FilePicker accept=".yaml,.yml,.json" onPick={(file) => void readFile(file)}>
          {(props) => <Button {...props}>Read a file</Button>}
        </FilePicker>
      </div>
      {shown && <Found found={shown} />}
    </FormDialog>
  );
}

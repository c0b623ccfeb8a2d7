import { Button, Textarea } from '@mantine/core';
import { plural } from '../../../lib/format.ts';
import { findProjects, linkedSources } from '../../../requests/projects.ts';
import { FilePicker } from '../../../ui/form/file-picker.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { FoundSelect } from '../../../ui/form/found-select.tsx';
import { ImportResult } from './import-result.tsx';
import { useImport } from './use-import.ts';

/** Creates data contracts from an ODCS document. Shows the result before it saves them. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { form, reviewed } = useImport(onClose);
  const { document, projectId, dataSourceId } = form.values;
  const readFile = async (file: File | null) => {
    if (file) form.set('document', await file.text());
  };
  return (
    <FormDialog
      title="Import data contracts"
      form={form}
      act={reviewed ? `Import ${plural(reviewed.contracts.length, 'data contract')}` : 'Review'}
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
      {reviewed && <ImportResult result={reviewed} />}
    </FormDialog>
  );
}

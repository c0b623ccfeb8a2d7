import {
  type QueryMcpTool,
  type QueryVersionListItem,
  SetQueryMcpToolBody,
  setQueryMcpTool,
} from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';

type Props = {
  readonly tool: QueryMcpTool;
  /** Versions to choose from. Default: the published version and the present definition. */
  readonly versions?: readonly QueryVersionListItem[] | undefined;
  readonly onClose: () => void;
};

/** Returns a default name of the tool, derived from the name of the query. */
const suggestedName = (queryName: string): string =>
  queryName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 41);

const label = (number: number, isNewest: boolean): string =>
  isNewest ? `Version ${number}, what the query says now` : `Version ${number}`;

function choices({ versionId, versionNumber, newestVersionId, newestVersionNumber }: QueryMcpTool) {
  const newest =
    newestVersionId === null || newestVersionNumber === null
      ? []
      : [{ value: String(newestVersionId), label: label(newestVersionNumber, true) }];
  const published =
    versionId === null || versionNumber === null || versionId === newestVersionId
      ? []
      : [{ value: String(versionId), label: label(versionNumber, false) }];
  return [...newest, ...published];
}

const fromVersions = (versions: readonly QueryVersionListItem[]) =>
  versions
    .filter(({ status }) => status === 'Active' || status === 'Archived')
    .map(({ id, versionNumber, status }) => ({
      value: String(id),
      label: label(versionNumber, status === 'Active'),
    }));

/** Publishes a query to AI clients, or changes a published one. */
export function PublishDialog({ tool, versions, onClose }: Props) {
  const publish = useChange(setQueryMcpTool, {
    touches: ['mcp'],
    headers: () => ifUnchanged(form.version),
  });
  const versionId = (tool.isEnabled ? tool.versionId : null) ?? tool.newestVersionId;
  const form = useForm({
    schema: SetQueryMcpToolBody,
    version: tool.version,
    initial: {
      name: tool.name ?? suggestedName(tool.queryName),
      description: tool.description ?? '',
      versionId: versionId === null ? '' : String(versionId),
    },
    toBody: ({ name, description, versionId }) => ({
      isEnabled: true,
      name,
      description: description.trim() === '' ? null : description,
      ...(versionId !== '' && { versionId: Number(versionId) }),
    }),
    send: async (body) => {
      const saved = await publish.mutateAsync({ params: { id: tool.queryId }, body });
      toastDone(`AI clients are offered version ${saved.versionNumber} as ${saved.toolName}.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={tool.isEnabled ? `Change ${tool.toolName}` : `Publish “${tool.queryName}”`}
      form={form}
      act={tool.isEnabled ? 'Save' : 'Publish query'}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        description="Clients call q_ and this: small letters, digits and underscores."
        classNames={{ input: 'mono' }}
        data-autofocus
      />
      <TextAreaField
        form={form}
        name="description"
        label="Description for clients (optional)"
        description="What one row is and which time it covers. Empty: the description of the query."
      />
      <SelectField
        form={form}
        name="versionId"
        label="Version"
        description={
          tool.isFollowing
            ? 'Each version that is approved from now on takes its place.'
            : 'It stays at this version, whatever is saved later.'
        }
        data={versions === undefined ? choices(tool) : fromVersions(versions)}
        allowDeselect={false}
      />
    </FormDialog>
  );
}

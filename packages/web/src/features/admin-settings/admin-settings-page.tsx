import { Button } from '@mantine/core';
import {
  type AdminSetting,
  type AdminSettingChange,
  type AdminSettingName,
  type AdminSettings,
  AdminSettingsInput,
  adminSettingNames,
  updateAdminSettings,
} from '@svc/contract';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Record } from '../../ui/record/record.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { LlmCallsSection } from './llm-calls.tsx';
import { LlmConnectionSection } from './llm-connection.tsx';
import { LlmLimitsSection } from './llm-limits.tsx';
import { LlmUsageSection } from './llm-usage.tsx';
import { adminSettings } from './requests/admin-settings.ts';
import { RetentionSection } from './retention.tsx';

const labels: Readonly<{ [name in AdminSettingName]: { label: string; help: string } }> = {
  baseUrl: {
    label: 'Base URL',
    help: 'Start of the links in messages, with the /svc segment: https://svc.example.org/svc. Without one, messages carry no link.',
  },
  defaultTimeZone: {
    label: 'Default time zone',
    help: 'Time zone of new schedules that name none, such as Europe/Zagreb.',
  },
};

/** Labels of settings that have their own form. */
const llmNames: Readonly<Record<string, string>> = {
  llmConnection: 'Language model',
  llmLimits: 'Call limits',
};

/**
 * Returns the id of the last change to a form's settings. The form resets after such a change and retains typed values
 * after other changes.
 */
const lastChange = ({ history }: AdminSettings, isOwn: (setting: string) => boolean): number =>
  history.find(({ setting }) => isOwn(setting))?.id ?? 0;

/** Settings that apply immediately in every process, and the history of their changes. */
export function AdminSettingsPage() {
  return (
    <>
      <PageHeader title="Admin settings" facts={<ManagedBadge kind="Settings" id={1} />} />
      <Record read={adminSettings}>
        {(record) => (
          <div className="stack" style={{ gap: 32 }}>
            <SettingsForm key={lastChange(record, (name) => !(name in llmNames))} record={record} />
            <LlmConnectionSection
              key={`connection ${lastChange(record, (name) => name === 'llmConnection')}`}
              setting={record.llmConnection}
            />
            <LlmLimitsSection
              key={`limits ${lastChange(record, (name) => name === 'llmLimits')}`}
              setting={record.llmLimits}
            />
            <LlmUsageSection />
            <LlmCallsSection />
            <RetentionSection />
            <History rows={record.history} />
          </div>
        )}
      </Record>
    </>
  );
}

function useMayChange(): (setting: AdminSetting) => boolean {
  const rights = useRights();
  return ({ isLocked, needs }) =>
    !isLocked && (needs === 'Admin' ? rights.isAdmin : holds(rights, 'SecurityAdmin'));
}

function noteOf(setting: AdminSetting, mayChange: boolean): string {
  if (setting.isLocked) return 'Locked by the configuration.';
  if (!mayChange)
    return `Changing it needs ${setting.needs === 'Admin' ? 'the Admin role' : 'SecurityAdmin'}.`;
  if (!setting.isSetAtRunTime) return 'From the configuration. Leave it empty to keep that.';
  return `Set here. Leave it empty to use the configuration: ${setting.configuredValue ?? 'none'}.`;
}

function SettingsForm({ record }: { readonly record: AdminSettings }) {
  const mayChange = useMayChange();
  const change = useChange(updateAdminSettings);
  const shown = (name: AdminSettingName) => {
    const { isSetAtRunTime, value } = record.settings[name];
    return isSetAtRunTime ? (value ?? '') : '';
  };
  const initial = { baseUrl: shown('baseUrl'), defaultTimeZone: shown('defaultTimeZone') };
  const form = useForm({
    schema: AdminSettingsInput,
    initial,
    toBody: (values) =>
      Object.fromEntries(
        adminSettingNames
          .filter((name) => mayChange(record.settings[name]) && values[name] !== initial[name])
          .map((name) => [name, values[name].trim() === '' ? null : values[name].trim()]),
      ),
    send: async (body) => {
      await change.mutateAsync({ body });
      toastDone('Settings saved.');
    },
  });
  return (
    <form className="stack" onSubmit={form.submit} noValidate style={{ maxWidth: 560 }}>
      <ProblemNote error={form.refusal} />
      {adminSettingNames.map((name) => {
        const setting = record.settings[name];
        const isOpen = mayChange(setting);
        return (
          <TextField
            key={name}
            form={form}
            name={name}
            label={labels[name].label}
            description={`${labels[name].help} ${noteOf(setting, isOpen)}`}
            placeholder={setting.value ?? 'Not set'}
            readOnly={!isOpen}
            spellCheck={false}
            autoComplete="off"
          />
        );
      })}
      {adminSettingNames.some((name) => mayChange(record.settings[name])) && (
        <div>
          <Button type="submit" variant="filled" loading={form.isSending} disabled={!form.isDirty}>
            Save settings
          </Button>
        </div>
      )}
    </form>
  );
}

const labelOf = (name: string): string => {
  const ofLlm = llmNames[name];
  if (ofLlm !== undefined) return ofLlm;
  return adminSettingNames.find((settingName) => settingName === name)
    ? labels[name as AdminSettingName].label
    : name;
};
const shownValue = (value: string | null) =>
  value === null ? <span className="soft">As configured</span> : <code>{value}</code>;

const columns: readonly Column<AdminSettingChange>[] = [
  { id: 'setting', label: 'Setting', cell: (row) => labelOf(row.setting) },
  { id: 'old', label: 'Before', width: '240px', from: 800, cell: (row) => shownValue(row.oldValue) },
  { id: 'new', label: 'After', width: '240px', from: 480, cell: (row) => shownValue(row.newValue) },
  { id: 'by', label: 'By', width: '160px', from: 640, cell: (row) => row.changedByUserName ?? 'The service' },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    cell: (row) => <Time at={row.changedAt} isQuiet />,
  },
];

function History({ rows }: { readonly rows: readonly AdminSettingChange[] }) {
  return (
    <section aria-label="History" className="stack-tight">
      <h2>History</h2>
      {rows.length === 0 ? (
        <Empty icon="history" title="No changes yet">
          Every change of a setting is listed here: before, after, and who made it.
        </Empty>
      ) : (
        <Table label="Changes of settings" columns={columns} rows={rows} keyOf={(row) => row.id} />
      )}
    </section>
  );
}

import { NeedsEditor } from '../../access/needs-editor.tsx';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { FirstAlert } from './first-alert.tsx';

const parent = { to: paths.home(), label: 'Home' };

/** Page that leads from data to a delivered alert in four questions. */
export function FirstAlertPage() {
  const { canWrite } = useRights();
  const [{ dataSourceId, projectId }] = useAddress();
  if (!canWrite) return <NeedsEditor title="Get your first alert" parent={parent} act="Making alerts" />;
  return <FirstAlert dataSourceId={Number(dataSourceId) || null} projectId={Number(projectId) || null} />;
}

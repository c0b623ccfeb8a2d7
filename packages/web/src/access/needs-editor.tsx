import { Empty } from '../ui/feedback/empty.tsx';
import { LinkButton } from '../ui/frame/link-button.tsx';
import { PageHeader } from '../ui/frame/page-header.tsx';

type Props = {
  readonly title: string;
  readonly parent: { readonly to: string; readonly label: string };
  /** What cannot be done here, as a sentence begins: "Writing queries". */
  readonly act: string;
};

/** In place of a page whose act the reader may not do: which role it needs, and the way back. */
export function NeedsEditor({ title, parent, act }: Props) {
  return (
    <>
      <PageHeader title={title} parent={parent} />
      <Empty
        icon="lock"
        title={`${act} needs the Editor role`}
        action={<LinkButton to={parent.to}>{parent.label}</LinkButton>}
      >
        An administrator can give it to you. You can still read and run what others created.
      </Empty>
    </>
  );
}

import { Empty } from '../ui/feedback/empty.tsx';
import { LinkButton } from '../ui/frame/link-button.tsx';
import { PageHeader } from '../ui/frame/page-header.tsx';

type Props = {
  readonly title: string;
  readonly parent: { readonly to: string; readonly label: string };
  /** Action that the user may not perform, as the start of a sentence: "Writing queries". */
  readonly act: string;
};

/** Replaces a page whose action the user may not perform. Names the required role and links back. */
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

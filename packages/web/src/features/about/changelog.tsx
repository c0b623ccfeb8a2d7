import changelog from '../../../../../CHANGELOG.md?raw';
import { Markdown } from '../../ui/text/markdown.tsx';

/** Shifts headings below the heading of the page, and removes links into the repository, which have no target here. */
const text = changelog
  .replace(/^# .*\n/, '')
  .replaceAll(/^(##+) /gm, '$1# ')
  .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1');

/** Changes of each version. */
export const Changelog = () => <Markdown text={text} />;

import changelog from '../../../../../CHANGELOG.md?raw';
import { Markdown } from '../../ui/text/markdown.tsx';

/** Below the heading of the page that it is on; links into the repository lead nowhere from here. */
const text = changelog
  .replace(/^# .*\n/, '')
  .replaceAll(/^## /gm, '### ')
  .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1');

/** What changed from version to version. */
export const Changelog = () => <Markdown text={text} />;

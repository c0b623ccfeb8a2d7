import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.3: the values of results. */
export const values = [
  {
    id: 'RT-4.3-1301',
    section: '4.3',
    text: 'A decimal in a result keeps the scale that it has at its source.',
  },
  {
    id: 'RT-4.3-1302',
    section: '4.3',
    text: 'All cells of a result column have one JSON type, which depends on the type of the column alone.',
  },
  {
    id: 'RT-4.3-1303',
    section: '4.3',
    text: 'Whole numbers of a type with more than 53 bits, and decimals, are text in JSON results.',
  },
  {
    id: 'RT-4.3-1304',
    section: '4.3',
    text: 'A request for numbers gets whole numbers and decimals as JSON numbers with all their digits.',
  },
  {
    id: 'RT-4.3-1305',
    section: '4.3',
    text: 'A result column of PostgreSQL names every type as the server does, types of users included.',
  },
  {
    id: 'RT-4.3-1306',
    section: '4.3',
    text: 'A statement that ends in several semicolons runs as one statement.',
  },
  {
    id: 'RT-4.3-1307',
    section: '4.3',
    text: 'Intervals and dates BC have the same text in results of PostgreSQL and of DuckDB.',
  },
  {
    id: 'RT-4.3-1308',
    section: '4.3',
    text: 'A column of a CSV file is a number only if every value of the whole file keeps its form as a number.',
  },
  {
    id: 'RT-4.3-1309',
    section: '4.3',
    text: 'Numbers in nested values of a JSON file stay numbers with all their digits.',
  },
  {
    id: 'RT-4.3-1310',
    section: '4.3',
    text: 'A query of several steps returns a value of a step unchanged, or refuses it by step, column and row.',
  },
  {
    id: 'RT-4.3-1311',
    section: '4.3',
    text: 'A column name that the statement gives is never given to another column.',
  },
  {
    id: 'RT-4.3-1312',
    section: '4.3',
    text: 'A CSV file in Latin-1, Windows-1252 or UTF-16 is read like one in UTF-8.',
  },
  {
    id: 'RT-4.3-1313',
    section: '4.3',
    text: 'A CSV file with a line of another length is refused by its line, and the other files of its source stay readable.',
  },
  {
    id: 'RT-4.3-1314',
    section: '4.3',
    text: 'A text in a CSV export has an apostrophe if it begins with a formula character and is not only a number with a sign.',
  },
  {
    id: 'RT-4.3-1315',
    section: '4.3',
    text: 'Each value of each type of PostgreSQL, MariaDB, SQLite and DuckDB has its documented form in files, MCP answers, messages, samples and queries of several steps.',
  },
  {
    id: 'RT-4.3-1451',
    section: '4.3',
    text: 'The settings of a file of a data source give its encoding, delimiter, quote, header, comment prefix, decimal separator, text of NULL, treatment of short lines and types of columns.',
  },
  {
    id: 'RT-4.3-1452',
    section: '4.3',
    text: 'A setting that a file of its format does not have, or that contradicts another one, is refused by its name.',
  },
  {
    id: 'RT-4.3-1453',
    section: '4.3',
    text: 'A preview of a file returns how it is read, the types of its columns and its first rows, masked and audited, before a data source is saved.',
  },
  {
    id: 'RT-4.3-1454',
    section: '4.3',
    text: 'A value that changes in the given type of its column is refused by its column, and by its line or row in the file.',
  },
  {
    id: 'RT-4.3-1455',
    section: '4.3',
    text: 'SQLite, DuckDB and XLSX files can be uploaded, and a file of another content is refused.',
  },
  {
    id: 'RT-4.3-1456',
    section: '4.3',
    text: 'A data source reads the first sheet of an XLSX file, or the sheet that its settings name.',
  },
  {
    id: 'RT-4.3-1457',
    section: '4.3',
    text: 'A data source reads the only table of a DuckDB file, or the table that its settings name.',
  },
  {
    id: 'RT-4.3-1458',
    section: '4.3',
    text: 'The list of files names the folders that files of data sources may lie in.',
  },
  {
    id: 'RT-4.3-1459',
    section: '4.3',
    text: 'A text of a JSON file leaves as it is written.',
  },
  {
    id: 'RT-4.3-1460',
    section: '4.3',
    text: 'A number of a JSON file keeps its digits, or the file is refused by the row of a number that cannot.',
  },
  {
    id: 'RT-4.3-1461',
    section: '4.3',
    text: 'A number of an XLSX file is a number in the format of any currency.',
  },
  {
    id: 'RT-4.3-1470',
    section: '4.3',
    text: 'A JSON file with an empty member name, or with NUL in a member name, is refused by the row and the name.',
  },
  {
    id: 'RT-4.3-1471',
    section: '4.3',
    text: 'An XLSX file with more empty cells before its cells than its copy can contain is refused by sheet, row and column. Sheets that are not read do not matter.',
  },
] as const satisfies readonly RequirementEntry[];

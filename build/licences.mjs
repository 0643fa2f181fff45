import { readFileSync } from 'node:fs';
import { root } from './bundle.mjs';
import { ownLicenceText } from './packages.mjs';

/** Texts for packages that declare a licence and carry none: declared name → file. */
const standardTexts = new Map([
  ['Apache-2.0', 'LICENSE'],
  ['Apache License 2.0', 'LICENSE'],
  ['ISC', 'build/licences/ISC.txt'],
  ['MIT', 'build/licences/MIT.txt'],
]);

/**
 * Name, version, licence and text of every package, one after the other.
 * @param {import('./packages.mjs').Package[]} packages
 * @returns {string}
 * @throws when a package has no licence text and none can stand in for it
 */
export function thirdPartyLicences(packages) {
  const head = 'ackone-join contains the following packages.\n';
  return [
    head,
    ...packages.map((each) => `${'='.repeat(79)}\n${each.name} ${each.version} (${each.licence})\n\n${text(each)}\n`),
  ].join('\n');
}

/** @param {import('./packages.mjs').Package} each */
function text({ name, licence, author, folder }) {
  const own = ownLicenceText(folder);
  if (own !== undefined) return own.trim();
  const file = standardTexts.get(licence);
  if (file === undefined)
    throw new Error(`${name} carries no text of its licence, ${licence}: add one to build/licences.`);
  const holder = `Copyright (c) ${author || `the authors of ${name}`}`;
  return `${holder}\n\n${readFileSync(root + file, 'utf8').trim()}`;
}

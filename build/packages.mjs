import { readdirSync, readFileSync } from 'node:fs';
import { root } from './bundle.mjs';

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} version
 * @property {string} licence as the package declares it, mostly an SPDX expression
 * @property {string} author empty when the package names none
 * @property {Record<string, unknown>} manifest its package.json
 * @property {string} folder absolute, without a slash at its end
 */

/**
 * The packages that put bytes into the bundle, by name and version.
 * @param {import('esbuild').Metafile} metafile
 * @returns {Package[]}
 */
export function bundledPackages(metafile) {
  const files = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  const packages = [...new Set(folders)].map((folder) => readPackage(root + folder));
  const unique = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...unique.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** @param {Package} each */
const sortKey = ({ name, version }) => `${name}@${version}`;

/**
 * @param {string} folder
 * @returns {Package}
 */
function readPackage(folder) {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const { name, version } = manifest;
  const licence = [manifest.license ?? manifest.licenses ?? []]
    .flat()
    .map((each) => each.type ?? each)
    .join(' OR ');
  if (licence === '') throw new Error(`${name} declares no licence, so it cannot be bundled.`);
  const author = manifest.author?.name ?? manifest.author ?? '';
  return { name, version, licence, author, manifest: { ...manifest, license: licence }, folder };
}

/**
 * The package's own licence and notice files, else the section of its README that holds the text.
 * @param {string} folder
 * @returns {string | undefined} undefined when it carries no text
 */
export function ownLicenceText(folder) {
  const names = readdirSync(folder).sort();
  const texts = names
    .filter((name) => /^(licen[cs]e|copying|notice)(\W|$)/i.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  if (texts.length > 0) return texts.join('\n\n');
  const readme = names.find((name) => /^readme/i.test(name));
  const section = readme && /^(?:#+ *)?licen[cs]e\b[\s\S]*/im.exec(readFileSync(`${folder}/${readme}`, 'utf8'))?.[0];
  return section && section.length > 500 ? section : undefined;
}

/** Makes dist/: the program, what its launcher prints by itself, the licences of what is in it, and its bill of materials. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { bundle, ownManifest, root } from './bundle.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { bundledPackages } from './packages.mjs';
import { pages } from './pages.mjs';
import { sbom } from './sbom.mjs';

const metafile = await bundle();
const packages = bundledPackages(metafile);
writeFileSync(`${root}dist/THIRD_PARTY_LICENSES.txt`, thirdPartyLicences(packages));
writeFileSync(`${root}dist/sbom.cdx.json`, sbom(ownManifest, packages));
mkdirSync(`${root}dist/pages`);
for (const [name, text] of await pages()) writeFileSync(`${root}dist/pages/${name}`, text);

// Prints docs/fingerprint.svg, which docs/package.md shows: node scripts/fingerprint-picture.mjs > docs/fingerprint.svg
import { pictureOf } from 'whorl/picture';

// Both are invented.
const before = 'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA';
const after = 'w1.dlc157.7Z9v0pT8aKuEwGT748W68JVnrQ7d.uCtYklxImC2ebtiRjVDCF3p-chyVrMAXY6g4.-pAuyWxtd9m8OWLtvKaE.AAAA';
const pictures = [pictureOf(before, { size: 240 }), pictureOf(after, { size: 240, compareWith: before })];
const placed = pictures.map((svg, index) => svg.replace('<svg ', `<svg x="${index * 280}" `));
// Outlines take this colour: a grey that shows on white and on near-black.
console.log(
  `<svg xmlns="http://www.w3.org/2000/svg" width="520" height="240" viewBox="0 0 520 240" color="#7d8590"><title>A fingerprint before and after</title>${placed.join('\n')}</svg>`,
);

export { type PictureOptions, pictureOf } from './picture-of.js';

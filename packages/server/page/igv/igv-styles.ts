/** Rules within the shadow tree of igv.js. On a phone, its toolbar would be cut off at the right. */
export const IGV_STYLES = `
@media (max-width: 40rem) {
  .igv-navbar { height: auto; flex-wrap: wrap; }
}
`;

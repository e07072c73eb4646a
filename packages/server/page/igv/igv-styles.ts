/** Rules within the shadow tree of igv.js. On a phone, its toolbar would be cut off at the right. */
export const IGV_STYLES = `
@media (max-width: 40rem) {
  .igv-navbar.igv-navbar,
  .igv-navbar .igv-navbar-left-container,
  .igv-navbar .igv-navbar-left-container .igv-navbar-genomic-location,
  .igv-navbar .igv-navbar-right-container { height: auto; flex-wrap: wrap; justify-content: flex-start; }
  .igv-navbar .igv-navbar-left-container .igv-navbar-genomic-location .igv-locus-size-group { margin: 0; height: auto; }
}
`;

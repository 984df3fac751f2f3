// Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
//
// Writes the SHA-256 and SHA-512 of the archive beside it, as "sha256sum -c" and "sha512sum -c" read them.
import java.security.MessageDigest

def archive = new File(project.build.directory, "${project.build.finalName}-bin.tar.gz")
if (archive.exists()) { // not with -Dassembly.skipAssembly
  ['SHA-256', 'SHA-512'].each {
    def digest = MessageDigest.getInstance(it).digest(archive.bytes).encodeHex()
    new File("${archive.path}.${it.toLowerCase().replace('-', '')}").text = "$digest  ${archive.name}\n"
  }
}

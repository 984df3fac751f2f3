// Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
//
// Gives what goes into the jars the same modes whatever the umask: the jar plugin writes them down.
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions

// Made later, but not anew if it is there.
def properties = Path.of(project.build.directory, 'maven-archiver', 'pom.properties')
if (Files.notExists(properties)) {
  Files.createDirectories(properties.parent)
  Files.createFile(properties)
}
[
  project.build.outputDirectory, project.build.testOutputDirectory, project.basedir.path + '/pom.xml', properties as String
].each { name ->
  def top = Path.of(name)
  if (Files.exists(top) && Files.getFileStore(top).supportsFileAttributeView('posix')) {
    Files.walk(top).withCloseable { files ->
      files.filter { !Files.isSymbolicLink(it) }.forEach {
        def mode = Files.isDirectory(it) ? 'rwxr-xr-x' : 'rw-r--r--'
        Files.setPosixFilePermissions(it, PosixFilePermissions.fromString(mode))
      }
    }
  }
}
